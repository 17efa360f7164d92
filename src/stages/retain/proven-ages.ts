import { isUnusable } from '../../documents/unusable.ts';
import { withChanges } from '../../documents/with-changes.ts';
import { provenBefore, withSample, type AgeSample } from '../../core/age-samples.ts';
import type { Clock } from '../../core/clock.ts';
import {
  retentionAgesDocuments,
  retentionAgesId,
  type RetentionAges,
  type TopicAges,
} from '../../documents/retention-ages-document.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { InstallationTime } from '../../core/installation-time.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface ProvenAgesOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
}

const place = { kind: retentionAgesDocuments, id: retentionAgesId };
const saveEveryMs = 3_600_000;
const nothing: RetentionAges = { ranMs: 0, doubtedUntilMs: 0, topics: {} };

/**
 * How old records are by the time that the processes of this installation have run: a proof that no setting of the
 * clock can shorten. What it knows is kept in the catalog, once an hour; what a kill loses only makes records look
 * younger. That the clock is in doubt is kept at once: a process that did not know it would remove by that clock. A
 * document of a newer release is left to that release: what this process proves then begins with its own start.
 */
export class ProvenAges {
  readonly #options: ProvenAgesOptions;
  readonly #topics = new Map<string, TopicAges>();
  #time: InstallationTime | undefined;
  /** The document as it was read or written last. */
  #stored: RetentionAges = nothing;
  #savedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProvenAgesOptions) {
    this.#options = options;
  }

  /**
   * Takes the clocks as they are now, after what is stored was read once. Answers by how much they differ, 0 if they
   * agree.
   */
  async look(options: Waiting): Promise<number> {
    const { clock } = this.#options;
    const now = { wall: clock.now(), monotonic: clock.monotonic() };
    if (this.#time !== undefined) return this.#time.look(now);
    this.#stored = (await this.#read(options)) ?? nothing;
    this.#time = new InstallationTime(this.#stored, now);
    for (const [topic, ages] of Object.entries(this.#stored.topics)) this.#topics.set(topic, ages);
    return 0;
  }

  /** False while the clock on the wall is in doubt, and before the first look. */
  get isTrusted(): boolean {
    return this.#time?.isTrusted ?? false;
  }

  /** Notes where a partition ends now. Answers the offset below which every record is at least that old. */
  provenBefore(
    { topic, partition }: TopicPartition,
    { identity, end, ageMs }: { readonly identity: string; readonly end: Offset; readonly ageMs: number },
  ): Offset {
    if (this.#time === undefined) return 0;
    const { ranMs } = this.#time;
    const known = this.#topics.get(topic);
    const partitions: (readonly AgeSample[])[] = known?.identity === identity ? [...known.partitions] : [];
    while (partitions.length <= partition) partitions.push([]);
    const samples = withSample(partitions[partition] ?? [], { end, ranMs, ageMs });
    partitions[partition] = samples;
    this.#topics.set(topic, { ...(known?.identity === identity ? known : {}), identity, partitions });
    return provenBefore(samples, { ranMs, ageMs });
  }

  /** Keeps what is known, when it is time, or the clock has come into doubt; of these topics alone. */
  async save(topics: ReadonlySet<string>, options: Waiting): Promise<void> {
    const time = this.#time;
    if (time === undefined) return;
    const isDoubtKept = time.stored.doubtedUntilMs === this.#stored.doubtedUntilMs;
    if (isDoubtKept && time.ranMs < this.#savedAtMs + saveEveryMs) return;
    for (const topic of this.#topics.keys()) if (!topics.has(topic)) this.#topics.delete(topic);
    const before = this.#stored;
    const after = { ...before, ...time.stored, topics: Object.fromEntries(this.#topics) };
    const change = (found?: RetentionAges): RetentionAges =>
      found === undefined ? after : withChanges(found, { before, after });
    await ifUsable(() => changeDocument(this.#options.catalog, { ...place, change }, options));
    this.#stored = after;
    this.#savedAtMs = time.ranMs;
  }

  async #read(options: Waiting): Promise<RetentionAges | undefined> {
    return (await ifUsable(() => readDocument(this.#options.catalog, place, options)))?.value;
  }
}

async function ifUsable<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!isUnusable(thrown)) throw thrown;
    return undefined;
  }
}
