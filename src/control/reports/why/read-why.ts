import type { SinkKey } from '../../../core/ids.ts';
import type { Offset, Partition } from '../../../core/offset.ts';
import { decodeOutcome } from '../../../core/outcome.ts';
import { countWanted } from '../../../core/progress/intervals.ts';
import { entryOf } from '../../../core/progress/sink-progress.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Parts } from '../../parts.ts';
import { reportSink, type IncarnationReport } from '../sink-report.ts';
import type { Finding } from './finding.ts';
import { whyWithoutServer } from './why-failing.ts';
import { whyIncarnation, type IncarnationWhy } from './why-incarnation.ts';
import type { Mapped } from './why-in-log.ts';

type ReadWhyParts = Parameters<typeof reportSink>[0] & Pick<Parts, 'sinkLog'>;

/** Why rows of a sink are not in the table yet. */
export interface SinkWhy extends IncarnationWhy {
  readonly key: SinkKey;
  /** The same of each incarnation that was deleted before the sink came back, and still has something to deliver. */
  readonly earlier: readonly IncarnationWhy[];
}

/** A person waits for the answer. */
const patienceMs = 1500;

/** Says why, as far as everybody who knows can be asked now. `source.notFound`, `sink.notFound`. */
export async function readWhy(parts: ReadWhyParts, key: SinkKey, options: Waiting): Promise<SinkWhy> {
  const report = await reportSink(parts, key, options);
  const { disabled, deleted } = await parts.definitions.knownSink(key, options);
  const until = { signal: AbortSignal.any([options.signal, AbortSignal.timeout(patienceMs)]) };
  const mappedOf = (of: IncarnationReport): Promise<Mapped> => readMapped(parts, of, until);
  const stamp = deleted ?? disabled;
  const what = deleted === undefined ? 'disabled' : 'deleted';
  const own = whyIncarnation({
    report,
    mapped: await mappedOf(report),
    ...(stamp === undefined ? {} : { closed: { at: stamp.at, what } }),
  });
  const earlier: IncarnationWhy[] = [];
  for (const one of report.earlier) earlier.push(whyIncarnation({ report: one, mapped: await mappedOf(one) }));
  options.signal.throwIfAborted();
  const servers: readonly Finding[] = report.missing.map(whyWithoutServer);
  return { key, ...own, findings: [...servers, ...own.findings], earlier };
}

/** Asks the sink's topic for its last outcome, where something waits; what does not answer in time is left out. */
async function readMapped(
  { sinkLog, telemetry }: Pick<Parts, 'sinkLog' | 'telemetry'>,
  { progress, ends }: IncarnationReport,
  options: Waiting,
): Promise<Mapped> {
  const mapped = new Map<Partition, Offset>();
  if ('unknown' in ends) return mapped;
  const topic = progress.topics.sink;
  for (const [partition, end] of ends) {
    const { source, intervals } = entryOf(progress, partition);
    if (countWanted(intervals, { from: source, to: end - 1 }) === 0) continue;
    try {
      const last = await sinkLog.lastRecord({ topic, partition }, options);
      mapped.set(partition, last === undefined ? source : decodeOutcome(last.value).to);
    } catch (thrown) {
      // Away, or gone: the status of the role that needs it says so, and here it is not known what is mapped.
      telemetry.log.debug({ topic, partition, err: thrown }, 'last outcome not told');
    }
  }
  return mapped;
}
