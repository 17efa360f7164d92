import type { Refusal } from '../core/dead-letter.ts';
import type { CompiledMapping } from './compile-mapping.ts';
import { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';

export type RenderedColumn =
  { readonly name: string; readonly value: string } | { readonly name: string; readonly error: string };

/**
 * What each column makes of an event, for the test endpoint: the text of the cell before CSV quoting, or the message
 * of the refusal. Every column is tried, also after one that fails; each when the caller asks for it, since a template may
 * take its time. The signal filter is the caller's, see `wants`.
 */
export function* renderColumns(compiled: CompiledMapping, event: MappedEvent): Generator<RenderedColumn, void> {
  const writer = new LineWriter();
  writer.begin();
  compiled.beginRow();
  for (const cell of compiled.cells) {
    const start = writer.length;
    const refusal = cell.write(event, writer);
    if (refusal !== undefined) {
      yield { name: cell.name, error: explained(refusal) };
      continue;
    }
    const quoted = writer.line().toString('utf8', start === 0 ? 0 : start + 1);
    yield { name: cell.name, value: quoted.slice(1, -1).replaceAll('""', '"') };
  }
}

/** A template's refusal has the place apart from the message; all others have it in the message. */
function explained({ reason, message, place }: Refusal): string {
  const isApart = (reason === 'templateError' || reason === 'templateLimit') && place !== '';
  return isApart ? `${place} ${message}` : message;
}
