import { sinkDocumentId } from '../../documents/document-id.ts';
import type { Sink } from '../../core/sink.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { withChanges } from '../../documents/with-changes.ts';
import { changeSink } from '../store/write-document.ts';
import type { Rollback, Undone } from './rollback.ts';
import { takeBack } from './take-back.ts';
import { unfenced } from './unfenced.ts';

type ShowSinkParts = Pick<Parts, 'catalog' | 'definitions' | 'ownCatalog' | 'seat'>;

/** A sink that is about to be seen, and the deleted one under its id, if there is one. */
export interface SinkChange {
  readonly sink: Sink;
  readonly before: Sink | undefined;
}

/** The refusal of a sink whose name is taken. */
export function sinkExists(name: string): MillraceError {
  return new MillraceError('sink.exists', `sink "${name}" already exists in the source`);
}

/** Makes a prepared sink visible where there was none, or in place of the deleted one that was read before. */
export async function showSink(
  parts: ShowSinkParts,
  { sink, before, rollback }: SinkChange & { readonly rollback: Rollback },
  options: Waiting,
): Promise<void> {
  rollback.add(`sink ${sinkDocumentId(sink)}`, (undoing) => hideSink(unfenced(parts), { sink, before }, undoing));
  const change = (found: Sink | undefined): Sink => {
    if (found === undefined && before === undefined) return sink;
    if (found?.deleted !== undefined && found.incarnation === before?.incarnation)
      return withChanges(found, { before, after: sink });
    throw sinkExists(sink.sinkId);
  };
  await changeSink(parts.catalog, { key: sink, change }, options);
  // An heir that took the seat before this sink could be seen has discarded its incarnation.
  await parts.seat.assertHeld(options);
}

/**
 * Takes a sink's document back: to the deleted sink that was there, or to nothing. Another incarnation's stays, and one
 * that was changed since.
 */
export async function hideSink(
  { catalog, definitions }: Pick<Parts, 'catalog' | 'definitions'>,
  { sink, before }: SinkChange,
  options: Waiting,
): Promise<Undone> {
  const found = await definitions.findSink(sink, options);
  if (found?.incarnation !== sink.incarnation) return;
  return takeBack(catalog, { kind: sinkDocuments, id: sinkDocumentId(sink), shown: sink, before }, options);
}
