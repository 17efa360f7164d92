import { MillraceError } from '../../core/millrace-error.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { eventOfRecord } from '../../mapping/event-of-record.ts';
import { renderColumns, type RenderedColumn } from '../../mapping/render-columns.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { PayloadTest } from './trials.ts';

/** What one sink makes of each event of the payload. */
export interface TestedSink {
  readonly sinkId: string;
  readonly tableId: string;
  readonly isDisabled: boolean;
  readonly rows: readonly (readonly RenderedColumn[])[];
}

/** A cell of a test, by the numbers of its sink and its column. */
export interface TestedCell {
  readonly sink: number;
  readonly column: number;
}

export interface TestTools {
  readonly templates: TemplateCompiler;
  /** Told before a cell is made. */
  readonly onCell: (cell: TestedCell) => void;
}

/** So many characters of cells stand in one answer; a cell counts with what the answer says around it. */
const maxShownLength = 16 * 1024 * 1024;
const lengthAroundCell = 64;

/** Maps the events of a payload by every sink; a sink that does not take the signal of one of them is left out. */
export function runTest({ sinks, events }: PayloadTest, { templates, onCell }: TestTools): readonly TestedSink[] {
  const mapped = events.map(({ record, place }) => eventOfRecord(record, place));
  const shown = new ShownLength();
  const tested: TestedSink[] = [];
  for (const [sink, { sinkId, isDisabled, mapping }] of sinks.entries()) {
    const compiled = compileMapping(mapping, { templates });
    try {
      if (mapped.some((event) => !compiled.wants(event))) continue;
      const rows = mapped.map((event) => {
        const columns: RenderedColumn[] = [];
        onCell({ sink, column: 0 });
        for (const column of renderColumns(compiled, event)) {
          shown.add(column);
          columns.push(column);
          onCell({ sink, column: columns.length });
        }
        return columns;
      });
      tested.push({ sinkId, tableId: mapping.tableId, isDisabled, rows });
    } finally {
      compiled.release();
    }
  }
  return tested;
}

/** D8: every row has its limit, but a payload that a hundred sinks copy would still make an answer that nobody can hold. */
class ShownLength {
  #length = 0;

  add(column: RenderedColumn): void {
    this.#length += lengthAroundCell + ('value' in column ? column.value.length : column.error.length);
    if (this.#length <= maxShownLength) return;
    const message = `the rows of all sinks are over the maximum of ${maxShownLength} characters together: test a smaller payload`;
    throw new MillraceError('input.tooLarge', message);
  }
}

/** The column of a cell, as people name it. */
export function cellText({ sinks }: PayloadTest, { sink, column }: TestedCell): string {
  const tried = sinks[sink];
  const columns = tried?.mapping.columns ?? [];
  const { name } = columns[Math.min(column, columns.length - 1)] ?? { name: '' };
  return `column "${name}" of sink "${tried?.sinkId ?? ''}"`;
}
