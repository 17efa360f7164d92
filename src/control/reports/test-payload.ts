import { setImmediate } from 'node:timers/promises';
import type { SourceKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Sink } from '../../core/sink.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/compile-mapping.ts';
import type { MappedEvent } from '../../mapping/mapped-event.ts';
import { renderColumns, type RenderedColumn } from '../../mapping/render-columns.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { payloadEvents, type IngestRules, type Payload } from './payload-events.ts';

type TestPayloadParts = Pick<Parts, 'clock' | 'definitions' | 'templates'>;

/** What one sink makes of each event of the payload. */
export interface TestedSink {
  readonly sink: Sink;
  readonly rows: readonly (readonly RenderedColumn[])[];
}

/** So many characters of cells stand in one answer; a cell counts with what the answer says around it. */
const maxShownLength = 16 * 1024 * 1024;
const lengthAroundCell = 64;

/** Maps the events of a payload by every sink of the source, disabled ones included; nothing is stored. */
export async function testPayload(
  parts: TestPayloadParts,
  { key, payload, rules }: { readonly key: SourceKey; readonly payload: Payload; readonly rules: IngestRules },
  options: Waiting,
): Promise<readonly TestedSink[]> {
  const source = await parts.definitions.source(key, options);
  const events = await payloadEvents(parts.clock, { source, payload, rules }, options);
  const shown = new ShownLength();
  const tested: TestedSink[] = [];
  for (const sink of await parts.definitions.sinks(key, options)) {
    const { tableId, columns } = sink.table;
    const { incarnation, mappingVersion, allowedSignals } = sink;
    const compiled = compileMapping(
      { incarnation, version: mappingVersion, tableId, columns, allowedSignals },
      { templates: parts.templates },
    );
    try {
      if (events.some((event) => !compiled.wants(event))) continue;
      const rows: (readonly RenderedColumn[])[] = [];
      for (const event of events) rows.push(await rendered(compiled, event, { shown, ...options }));
      tested.push({ sink, rows });
    } finally {
      compiled.release();
    }
  }
  return tested;
}

/**
 * D8: between two columns the thread does other things; once the time of the request is over, no more columns are
 * rendered.
 */
async function rendered(
  compiled: CompiledMapping,
  event: MappedEvent,
  { shown, signal }: Waiting & { readonly shown: ShownLength },
): Promise<readonly RenderedColumn[]> {
  const columns: RenderedColumn[] = [];
  for (const column of renderColumns(compiled, event)) {
    shown.add(column);
    columns.push(column);
    await setImmediate();
    signal.throwIfAborted();
  }
  return columns;
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
