import type { Incarnation } from '../../core/ids.ts';
import { compareWithLedger } from '../../core/accounts/ledger-witness.ts';
import type { LoadedCounts } from '../../core/progress/ledger.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';

/** A document, and what it counts that the ledger does not; undefined when that is not known now. */
export interface Witnessed {
  readonly progress: SinkProgress;
  readonly ledger: LoadedCounts | undefined;
}

const tries = 5;
const patienceMs = 2000;

/**
 * Reads the document and then the ledger; starts over while imports move the document on. A table store that is away
 * makes the answer incomplete, not wrong.
 */
export async function readWitnessed(
  ledger: Pick<ImportLedger, 'readLedger'>,
  { incarnation, read }: { readonly incarnation: Incarnation; readonly read: () => Promise<SinkProgress | undefined> },
  { signal }: Waiting,
): Promise<Witnessed | undefined> {
  let progress = await read();
  const waiting = { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) };
  for (let left = tries; progress !== undefined; left -= 1) {
    const row = await ledger.readLedger(incarnation, waiting).catch(() => undefined);
    signal.throwIfAborted();
    const compared = compareWithLedger(progress, row);
    if (compared.kind === 'compared') return { progress, ledger: compared.difference };
    if (compared.kind === 'unknown' || left === 1) return { progress, ledger: undefined };
    progress = await read();
  }
  return undefined;
}
