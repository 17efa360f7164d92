import type { ConfigurationKey } from '../../core/configuration.ts';
import type { KeptRow } from '../../documents/configuration-version-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { noVersion, oldestKept } from '../store/configurations.ts';
import { rowOf } from './change-rows.ts';

interface RowKey {
  readonly key: ConfigurationKey;
  readonly rowId: string;
}

/**
 * The versions of a row, the newest first, as versions of its configuration have kept them; `configuration.notFound` without such a row.
 * They end where the row was added: another row that had this id before is not it.
 */
export async function* rowVersions(
  { configurations }: Pick<Parts, 'configurations'>,
  { key, rowId }: RowKey,
  options: Waiting,
): AsyncGenerator<KeptRow> {
  const configuration = await configurations.get(key, options);
  const { state: _, ...now } = rowOf(configuration, rowId);
  yield now;
  let last = now.version.number;
  const newest = configuration.version.number;
  for (let number = newest - 1; number >= oldestKept(newest) && last > 1; number -= 1) {
    const kept = await configurations.findVersion(configuration, number, options);
    if (kept === undefined) continue;
    const row = kept.definition.rows.find((one) => one.rowId === rowId);
    if (row === undefined || row.version.number > last) return;
    if (row.version.number === last) continue;
    last = row.version.number;
    yield row;
  }
}

/** One of them; `configuration.notFound`. */
export async function findRowVersion(
  parts: Pick<Parts, 'configurations'>,
  { key, rowId, number }: RowKey & { readonly number: number },
  options: Waiting,
): Promise<KeptRow> {
  for await (const row of rowVersions(parts, { key, rowId }, options)) if (row.version.number === number) return row;
  throw noVersion(rowId, number);
}
