import type { Offset, TopicPartition } from '../../src/core/offset.ts';
import {
  listOf,
  partitionKey,
  type EventLog,
  type NewRecord,
  type NewRecords,
  type PartitionCondition,
} from '../../src/ports/event-log.ts';

/** A log that only takes appends. */
export interface AppendLog {
  readonly log: Pick<EventLog, 'append' | 'condition'>;
  /** What was appended to a partition, in order; empty when it is not kept. */
  records(at: TopicPartition): readonly NewRecord[];
  /** From now on an append, to one partition or to any, is answered only after `release`. */
  hold(at?: TopicPartition): void;
  release(): void;
  /** From now on appends fail with this error, all or those of one partition; undefined: they succeed again. */
  refuseWith(error: Error | undefined, at?: TopicPartition): void;
  /** What the log says of a partition from now on. */
  setCondition(at: TopicPartition, condition: PartitionCondition): void;
}

/**
 * A log in memory that answers all appends of one turn of the event loop together, as a group commit does. It costs next
 * to nothing, so that a benchmark sees what ingest itself takes; with `keep` it can be asked for what it got.
 */
export function createAppendLog({ keep }: { readonly keep: boolean }): AppendLog {
  const kept = new Map<string, NewRecord[]>();
  let waiting: (() => void)[] = [];
  let held = false;
  const heldOnes = new Map<string, (() => void)[]>();
  let refusal: Error | undefined;
  const refusals = new Map<string, Error | undefined>();
  const conditions = new Map<string, PartitionCondition>();
  let end = 0;
  const flush = (): void => {
    if (held) return;
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  };
  const append = (at: TopicPartition, records: NewRecords): Promise<Offset> => {
    const failure = refusal ?? (refusals.size > 0 ? refusals.get(partitionKey(at)) : undefined);
    if (failure !== undefined) return Promise.reject(failure);
    const first = end;
    end += records.length;
    if (keep) kept.set(partitionKey(at), [...(kept.get(partitionKey(at)) ?? []), ...listOf(records).map(whole)]);
    return new Promise((resolve) => {
      const heldAt = heldOnes.get(partitionKey(at));
      if (heldAt !== undefined) {
        heldAt.push(() => resolve(first));
        return;
      }
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(() => resolve(first));
    });
  };
  return {
    log: { append, condition: (at) => conditions.get(partitionKey(at)) ?? 'well' },
    records: (at) => kept.get(partitionKey(at)) ?? [],
    hold: (at) => {
      if (at === undefined) held = true;
      else heldOnes.set(partitionKey(at), []);
    },
    release: () => {
      held = false;
      waiting.push(...[...heldOnes.values()].flat());
      heldOnes.clear();
      flush();
    },
    refuseWith: (error, at) => {
      if (at === undefined) refusal = error;
      else refusals.set(partitionKey(at), error);
    },
    setCondition: (at, condition) => {
      conditions.set(partitionKey(at), condition);
    },
  };
}

/** A record as a log gives it back: with one list of headers. */
function whole({ value, headers, sharedHeaders = [], timestamp }: NewRecord): NewRecord {
  return { value, headers: [...headers, ...sharedHeaders], timestamp };
}
