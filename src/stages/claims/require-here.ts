import { MillraceError } from '../../core/millrace-error.ts';
import { removeUnchanged } from '../../documents/change-document.ts';
import { migrationDocuments, migrationId } from '../../documents/migration-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

const place = { kind: migrationDocuments, id: migrationId };

/**
 * Begins to work on what the stores have, where `requireHere` allows it: a look that was right before the catalog knew of this process says
 * nothing of a move that has begun since. One that begins later finds a cluster that is not empty.
 */
export async function beginHere(
  catalog: Catalog,
  claims: { begin(options: Waiting): Promise<void> },
  options: Waiting,
): Promise<void> {
  await requireHere(catalog, options);
  await claims.begin(options);
  await requireHere(catalog, options);
}

/**
 * Refuses to work on what has moved away (`migration.done`), and on what has not come completely (`migration.unfinished`). A move away that
 * was not finished is over when a process starts: what was copied is old from then on.
 */
export async function requireHere(catalog: Catalog, options: Waiting): Promise<void> {
  const found = (await readDocument(catalog, place, options))?.value;
  if (found === undefined) return;
  const { side, state, to, at } = found;
  if (side === 'process') {
    if (state === 'underWay' && (await removeUnchanged(catalog, { ...place, value: found }, options))) return;
    throw new MillraceError(
      'migration.done',
      `everything that this data folder has was moved to a cluster (${to}) by the migration of ${at}`,
    );
  }
  if (state === 'done') return;
  throw new MillraceError('migration.unfinished', `the migration of ${at} into this cluster was not finished`);
}
