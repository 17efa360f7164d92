import type { Offset, TopicPartition } from '../../src/core/offset.ts';
import type { EventLog, NewRecord } from '../../src/ports/event-log.ts';
import { partitionKey } from '../../src/ports/event-log.ts';

/** The part of a log that ingest uses. */
export interface AppendLog {
  readonly log: EventLog;
  /** Records of a partition in the order of their offsets; empty when they are not kept. */
  records(at: TopicPartition): readonly NewRecord[];
}

/**
 * A log that takes appends into memory and answers all of one turn of the event loop together, as a group commit does.
 * It costs nothing, so that a benchmark sees what is left; with `keep` it can be asked for what it got.
 */
export function createAppendLog({ keep }: { readonly keep: boolean }): AppendLog {
  const kept = new Map<string, NewRecord[]>();
  let waiting: (() => void)[] = [];
  let end = 0;
  const flush = (): void => {
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  };
  const append = (at: TopicPartition, records: readonly NewRecord[]): Promise<Offset> => {
    const first = end;
    end += records.length;
    if (keep) kept.set(partitionKey(at), [...(kept.get(partitionKey(at)) ?? []), ...records]);
    return new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(() => resolve(first));
    });
  };
  const unused = (): never => {
    throw new Error('this log only takes appends');
  };
  const log: EventLog = {
    append,
    createTopic: unused,
    deleteTopic: unused,
    describeTopic: unused,
    listTopics: unused,
    ranges: unused,
    lastRecord: unused,
    trim: unused,
    join: unused,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { log, records: (at) => kept.get(partitionKey(at)) ?? [] };
}
