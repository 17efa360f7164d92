import type { Incarnation } from '../../core/ids.ts';
import { witnessOf, type Witness } from '../../core/accounts/ledger-witness.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';

/** A document, and what the table store says of it. */
export interface Witnessed {
  readonly progress: SinkProgress;
  readonly witness: Witness;
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
    const row = await ledger.readLedger(incarnation, waiting).catch(() => 'away' as const);
    signal.throwIfAborted();
    const witness = row === 'away' ? ({ kind: 'away' } as const) : witnessOf(progress, row);
    if (witness !== undefined) return { progress, witness };
    // What moves on all the same is no ledger of this document.
    if (left === 1) return { progress, witness: { kind: 'unfit' } };
    progress = await read();
  }
  return undefined;
}
