import type { Clock } from '../../core/clock.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { forgo, forgoMapping, lostSource, wantedRest } from '../../core/progress/forgo.ts';
import { nextWanted } from '../../core/progress/intervals.ts';
import { sameEntry, type PartitionEntry, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import type { SinkDocument } from './sink-document.ts';

/** The time between two looks at the topics of a deleted incarnation: what is lost at both of them is given up. */
const lookEveryMs = 30_000;

export interface LostTopicsOptions {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly clock: Clock;
  readonly observer: Pick<ImportObserver, 'holesFound'>;
  readonly document: SinkDocument;
}

type Entries = ReadonlyMap<Partition, PartitionEntry>;

/** What nobody can deliver any more of an entry. */
interface Loss {
  readonly base: PartitionEntry;
  /** First offset of the topic of outcomes while not all of it is passed; undefined when nothing more comes of it. */
  readonly low: Offset | undefined;
}

type Losses = ReadonlyMap<Partition, Loss>;

/**
 * Ends a deleted incarnation whose topic of outcomes, or whose source topic, is gone, was made anew, ends below what the document knows, or
 * was cut: what nobody can deliver any more is counted as holes. All that the topic of outcomes still has is taken before.
 */
export class LostTopics {
  readonly #options: LostTopicsOptions;
  #lookAt: number | undefined;
  #lost: Losses = new Map();

  constructor(options: LostTopicsOptions) {
    this.#options = options;
  }

  /** Monotonic time of the next look; undefined when nothing is to be looked at. */
  dueAt(progress: SinkProgress): number | undefined {
    if (!progress.deleted || wanting(progress).size === 0) return undefined;
    this.#lookAt ??= this.#options.clock.monotonic() + lookEveryMs;
    return this.#lookAt;
  }

  /** Looks when it is time, and gives up what was already lost at the look before and has not moved since. */
  async look(progress: SinkProgress, options: Waiting): Promise<void> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (now < (this.dueAt(progress) ?? Number.POSITIVE_INFINITY)) return;
    const before = this.#lost;
    this.#lost = new Map();
    this.#lookAt = now + lookEveryMs;
    this.#lost = await this.#lostOf(progress, options);
    for (const [partition, loss] of this.#lost) {
      const known = before.get(partition);
      if (known !== undefined && sameEntry(known.base, loss.base)) await this.#giveUp(partition, loss, options);
    }
  }

  async #giveUp(partition: Partition, { base, low }: Loss, options: Waiting): Promise<void> {
    const { document, observer } = this.#options;
    if (low !== undefined) {
      await document.apply((current) => forgoMapping(current, { partition, base, low }), options);
      return;
    }
    const after = await document.apply((current) => forgo(current, { partition, base }), options);
    const count = wantedRest(base)?.count ?? 0;
    if (after?.applied === true) observer.holesFound(after.value, { partition, count });
  }

  /** Entries that want what nobody can deliver any more. */
  async #lostOf(progress: SinkProgress, options: Waiting): Promise<Losses> {
    const { sourceLog, sinkLog } = this.#options;
    const { source, sourceIdentity, sink, sinkIdentity } = progress.topics;
    const entries = wanting(progress);
    const own = await rangesOf(sinkLog, { topic: sink, identity: sinkIdentity }, options);
    const sources = await rangesOf(sourceLog, { topic: source, identity: sourceIdentity }, options);
    const lost = new Map<Partition, Loss>();
    for (const [partition, base] of entries) {
      const wanted = nextWanted(base.intervals, base.source) ?? 0;
      const range = own?.[partition];
      if (range === undefined || range.durableEnd < base.sink) lost.set(partition, { base, low: undefined });
      else if (base.cut !== undefined || wanted >= sourceEnd(sources, partition))
        lost.set(partition, { base, low: isPassed(base, range) ? undefined : range.first });
    }
    return lost;
  }
}

/** Nothing more comes of the topic of outcomes: its reader has gone through all of it since it is known that nothing is mapped again. */
function isPassed(base: PartitionEntry, { first, durableEnd }: PartitionRange): boolean {
  return first >= durableEnd || (base.sink >= durableEnd && lostSource(base) !== undefined);
}

/** Of a topic that is lost nothing more is mapped. */
function sourceEnd(ranges: readonly PartitionRange[] | undefined, partition: Partition): Offset {
  return ranges === undefined ? 0 : (ranges[partition]?.durableEnd ?? Number.POSITIVE_INFINITY);
}

function wanting({ entries }: SinkProgress): Entries {
  const all = Object.entries(entries).map(([partition, entry]) => [Number(partition), entry] as const);
  return new Map(all.filter(([, entry]) => wantedRest(entry) !== undefined));
}

/** Of the partitions of the topic; undefined when it is gone, or another one. */
async function rangesOf(
  log: EventLog,
  { topic, identity }: { readonly topic: string; readonly identity: string },
  options: Waiting,
): Promise<readonly PartitionRange[] | undefined> {
  if ((await log.describeTopic(topic, options))?.identity !== identity) return undefined;
  return log.ranges(topic, options);
}
