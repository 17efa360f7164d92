import { setImmediate } from 'node:timers/promises';
import type { Offset, Partition } from '../../../core/offset.ts';
import { OutcomeHeader, bufferOf } from '../../../core/outcome.ts';
import { limits } from '../../../core/limits.ts';
import { entryOf, type SinkProgress } from '../../../core/progress/sink-progress.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Parts } from '../../parts.ts';

/** What the topic of a sink says of a source offset that is not staged yet. */
export interface TopicOutcome {
  readonly kind: OutcomeHeader['kind'];
  readonly mappingVersion: number;
}

/** A person waits for the answer. */
const patienceMs = 2000;

/**
 * The outcome of a source offset in the topic of a sink, of what the stage has not sealed; `'none'` when there is none yet, undefined when
 * the topic does not answer, or has more than one call reads.
 */
export async function findOutcome(
  { sinkLog, telemetry }: Pick<Parts, 'sinkLog' | 'telemetry'>,
  {
    progress,
    partition,
    offset,
  }: { readonly progress: SinkProgress; readonly partition: Partition; readonly offset: Offset },
  { signal }: Waiting,
): Promise<TopicOutcome | 'none' | undefined> {
  const { topics } = progress;
  const entry = entryOf(progress, partition);
  const at = { topic: topics.sink, identity: topics.sinkIdentity, partition };
  const waiting = { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) };
  const header = new OutcomeHeader();
  let bytes = 0;
  try {
    for (let from = entry.sink; bytes < limits.tracedBytes;) {
      const batch = await sinkLog.read(at, from, waiting);
      if (batch.failure !== undefined) throw batch.failure;
      for (const { value } of batch.records) {
        header.read(bufferOf(value));
        bytes += value.length;
        if (header.from < offset && offset <= header.to)
          return { kind: header.kind, mappingVersion: header.mappingVersion };
      }
      if (batch.next <= from) return 'none';
      from = batch.next;
      await setImmediate();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    telemetry.log.debug({ ...at, err: thrown }, 'an outcome not told');
  }
  return undefined;
}
