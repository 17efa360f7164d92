import { sourceDocumentId } from '../../documents/document-id.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { Source } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { withChanges } from '../../documents/with-changes.ts';
import { changeSource } from '../store/write-document.ts';
import type { Rollback, Undone } from './rollback.ts';
import { takeBack } from './take-back.ts';
import { unfenced } from './unfenced.ts';

type ShowSourceParts = Pick<Parts, 'catalog' | 'definitions' | 'ownCatalog' | 'seat'>;

/** A source that is about to be seen, and the deleted one under its id, if there is one. */
export interface SourceChange {
  readonly source: Source;
  readonly before: Source | undefined;
}

/** The refusal of a source whose name is taken. */
export function sourceExists(name: string): MillraceError {
  return new MillraceError('source.exists', `source "${name}" already exists in the branch`);
}

/** Makes a source visible where there was none, or in place of the deleted one that was read before. */
export async function showSource(
  parts: ShowSourceParts,
  { source, before, rollback }: SourceChange & { readonly rollback: Rollback },
  options: Waiting,
): Promise<void> {
  rollback.add(`source ${sourceDocumentId(source)}`, (undoing) =>
    hideSource(unfenced(parts), { source, before }, undoing),
  );
  const change = (found: Source | undefined): Source => {
    if (found === undefined) return source;
    if (found.deleted !== undefined && found.incarnation === before?.incarnation)
      return withChanges(found, { before, after: source });
    throw sourceExists(source.sourceId);
  };
  await changeSource(parts.catalog, { key: source, change }, options);
  // An heir that took the seat before this source could be seen has discarded its topic and its sinks.
  await parts.seat.assertHeld(options);
}

async function hideSource(
  { catalog, definitions }: Pick<Parts, 'catalog' | 'definitions'>,
  { source, before }: SourceChange,
  options: Waiting,
): Promise<Undone> {
  const found = await definitions.findSource(source, options);
  if (found?.version.hash !== source.version.hash || found.topic !== source.topic) return;
  return takeBack(catalog, { kind: sourceDocuments, id: sourceDocumentId(source), shown: source, before }, options);
}
