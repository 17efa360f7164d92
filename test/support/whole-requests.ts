import type { WitnessedRequest } from './otlp-witness.ts';

/** A batch that a sender sends until it is told that it is stored, and how often its records are there. */
export interface Batch {
  readonly tries: readonly WitnessedRequest[];
  /** How often each of its records is there; one number when it is whole. */
  readonly counts: readonly number[];
}

export interface Judgement {
  /** Lost, torn, or there more often than tries of unknown end explain. */
  readonly wrong: readonly Batch[];
  /** There more than once, with reason. */
  readonly repeated: number;
  /** Numbers that are there and that no request had. */
  readonly unknown: readonly number[];
}

/** The sender has the answer that the request is stored. */
export const isTaken = ({ outcome, isTold }: WitnessedRequest): boolean => outcome === 'stored' && isTold;

/**
 * D2, D3 for senders that try again: a batch is there as a whole, once for each try that the product said it stored, and at most once
 * more for each try that was cut off before it said so. What its sender was told is the last try of it.
 */
export function judge(requests: readonly WitnessedRequest[], stored: ReadonlyMap<number, number>): Judgement {
  const tries = Map.groupBy(requests, ({ numbers }) => numbers.join(' '));
  const numbers = new Set(requests.flatMap((request) => request.numbers));
  const batches = [...tries.values()].map((of) => ({
    tries: of,
    counts: [...new Set((of[0]?.numbers ?? []).map((number) => stored.get(number) ?? 0))],
  }));
  const inBatches = batches.reduce((sum, { tries: [one] }) => sum + (one?.numbers.length ?? 0), 0);
  if (inBatches !== numbers.size) throw new Error('records moved from one batch to another between two tries');
  return {
    wrong: batches.filter((batch) => !isRight(batch)),
    repeated: batches.filter(({ counts: [count = 0] }) => count > 1).length,
    unknown: [...stored.keys()].filter((number) => !numbers.has(number)),
  };
}

function isRight({ tries, counts: [count = 0, ...others] }: Batch): boolean {
  const certain = tries.filter(({ outcome }) => outcome === 'stored').length;
  const unclear = tries.filter(({ outcome }) => outcome === 'unclear').length;
  const isLastTaken = tries.slice(0, -1).every((one) => !isTaken(one));
  return others.length === 0 && count >= certain && count <= certain + unclear && isLastTaken;
}
