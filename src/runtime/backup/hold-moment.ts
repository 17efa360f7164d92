import { EnvironmentSnapshot } from '../../adapters/lmdb/dump/environment-snapshot.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { DataFolder } from '../embedded/data-folder.ts';

/** Snapshots of one moment. */
export interface HeldMoment extends AsyncDisposable {
  readonly catalog: EnvironmentSnapshot;
  readonly sinkLog: EnvironmentSnapshot;
  readonly sourceLog: EnvironmentSnapshot;
}

/** Each try takes less than a millisecond; a catalog that changes in each of so many is not ours. */
const mostTries = 10_000;

/**
 * Holds catalog and logs as of one moment. The order matters. No document of the catalog may name an offset that a log does not have yet:
 * the catalog comes first. No outcome may speak of an event that the source's topic does not have yet: sinks come before sources. And
 * nothing may be gone from a log that the catalog says is still needed: it must not have changed in between. Nothing is held when it
 * rejects. `data.unusable`.
 */
export async function holdMoment(folder: DataFolder, between: () => void = () => undefined): Promise<HeldMoment> {
  await using stack = new AsyncDisposableStack();
  const catalog = stack.use(EnvironmentSnapshot.open(folder.catalog));
  const sinkLog = stack.use(EnvironmentSnapshot.open(folder.sinkLog));
  const sourceLog = stack.use(EnvironmentSnapshot.open(folder.sourceLog));
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = catalog.lastTransaction();
    for (const one of [catalog, sinkLog, sourceLog]) {
      one.pin();
      between();
    }
    if (catalog.lastTransaction() !== before) continue;
    const held = stack.move();
    return { catalog, sinkLog, sourceLog, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }
  throw new MillraceError('internal.bug', `the catalog has changed in each of ${mostTries} tries to hold it`);
}
