import { witnessOf, type Witness } from '../../core/accounts/ledger-witness.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readWitnessed } from '../reports/read-witnessed.ts';

type WitnessParts = Pick<Parts, 'definitions' | 'ledger'>;

const patienceMs = 2000;

/** What the table store says of documents that were read before; while it is away, of each one that it is. */
export async function readWitnesses(
  parts: WitnessParts,
  documents: readonly SinkProgress[],
  { signal }: Waiting,
): Promise<ReadonlyMap<Incarnation, Witness>> {
  const witnesses = new Map<Incarnation, Witness>();
  if (documents.length === 0) return witnesses;
  const waiting = { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) };
  const incarnations = documents.map(({ incarnation }) => incarnation);
  const rows = await parts.ledger.readLedgers(incarnations, waiting).catch(() => undefined);
  signal.throwIfAborted();
  for (const progress of documents) {
    const { incarnation } = progress;
    const witness = rows === undefined ? { kind: 'away' as const } : witnessOf(progress, rows.get(incarnation));
    witnesses.set(incarnation, witness ?? (await againOf(parts, incarnation, { signal })));
  }
  return witnesses;
}

/** Both anew, some times: what moves on all the same is no ledger of this document. */
async function againOf(
  { definitions, ledger }: WitnessParts,
  incarnation: Incarnation,
  options: Waiting,
): Promise<Witness> {
  const read = () => definitions.progress(incarnation, options);
  const found = await readWitnessed(ledger, { incarnation, read }, options);
  // Its document is gone, and all that it had is in its last sample.
  return found === undefined ? { kind: 'uncounted' } : found.witness;
}
