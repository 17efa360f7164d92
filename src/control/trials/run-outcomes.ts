import { MillraceError } from '../../core/millrace-error.ts';
import type { Mapping } from '../../core/mapping.ts';
import { compileMapping, type CompiledMapping, type RecordSteps } from '../../mapping/compile-mapping.ts';
import { eventOfRecord } from '../../mapping/event-of-record.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { OutcomeTest, TriedEvent, TriedOutcome } from './trials.ts';

/** What the mapping makes of each event of each record; those of one record have their steps together, as in delivery. */
export function runOutcomes(
  { mapping, records, column }: OutcomeTest,
  { templates }: { readonly templates: TemplateCompiler },
): readonly (readonly TriedOutcome[])[] {
  const compiled = compileMapping(column === undefined ? mapping : withColumn(mapping, column), { templates });
  try {
    return records.map((events) => {
      const steps = events.length > 1 ? compiled.stepsOfRecord() : undefined;
      return events.map((event) => outcomeOf(event, { compiled, steps, hasCell: column !== undefined }));
    });
  } finally {
    compiled.release();
  }
}

function withColumn(mapping: Mapping, name: string): Mapping {
  const columns = mapping.columns.filter((column) => column.name === name);
  if (columns.length > 0) return { ...mapping, columns };
  throw new MillraceError('input.invalid', `the mapping has no column "${name}"`);
}

interface Trial {
  readonly compiled: CompiledMapping;
  readonly steps: RecordSteps | undefined;
  readonly hasCell: boolean;
}

function outcomeOf({ record, place }: TriedEvent, { compiled, steps, hasCell }: Trial): TriedOutcome {
  const lines = new LineWriter();
  const result = compiled.mapEvent(eventOfRecord(record, place), lines, steps);
  if (result.kind !== 'row' || !hasCell) return result;
  // One quoted cell, and the end of the line.
  return { kind: 'row', cell: lines.line().toString('utf8').slice(1, -2).replaceAll('""', '"') };
}
