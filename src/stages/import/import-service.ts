import { progressId } from '../../documents/document-id.ts';
import { Deadlines } from '../../core/deadlines.ts';
import { Rests } from '../../core/rests.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { RunningTime } from '../../core/running-time.ts';
import type { Service } from '../../core/service.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Configuration } from '../replica/configuration.ts';
import type { ReplicaChange } from '../replica/replica.ts';
import { SinksBySource } from '../replica/sinks-by-source.ts';
import { WorkShare } from '../shares/work-share.ts';
import { ImportHistory } from './import-history.ts';
import { SinkImporter, type SinkImporterOptions } from './sink-importer.ts';
import { Turns } from './turns.ts';

export interface ImportServiceOptions extends Omit<SinkImporterOptions, 'trigger' | 'history' | 'running'> {
  readonly configuration: Configuration;
  /** Log by which the sinks are shared out. */
  readonly workLog: EventLog;
  readonly member: string;
  /** How many sinks import at once. */
  readonly concurrency: number;
}

/** So often each sink is looked at, whatever was told of it. */
const lookAgainMs = 60_000;
/** While more is due than can be done at once, the order of turns is so old at most. */
const orderRestMs = 1000;

/** Imports for all sinks that the group assigns to this process. */
export class ImportService implements Service {
  readonly id = 'import';
  readonly #options: ImportServiceOptions;
  readonly #history: ImportHistory;
  readonly #running = new RunningTime(limits.importerStepMs);
  readonly #importers = new Map<Incarnation, SinkImporter>();
  readonly #turns = new Turns<SinkImporter>();
  readonly #sinks: SinksBySource;
  /** Those that may have something to do now, or at another time than was known: only these are looked at, however many sinks there are. */
  readonly #touched = new Set<Incarnation>();
  readonly #deadlines = new Deadlines<Incarnation>();
  readonly #due = new Map<Incarnation, SinkImporter>();
  /** Who is due, in the order of turns; those who came since are not in it. */
  #order: SinkImporter[] = [];
  readonly #ordering = new Rests(orderRestMs);
  #lookAllAt = Number.NEGATIVE_INFINITY;
  #generation = -1;
  readonly #works = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  #share: WorkShare | undefined;

  constructor(options: ImportServiceOptions) {
    this.#options = options;
    this.#history = new ImportHistory(options.catalog);
    this.#sinks = new SinksBySource(options.configuration.progress);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { sources, sinks } = this.#options.configuration;
    // Before anything is waited for: what changes meanwhile belongs to it.
    const stops = [
      this.#sinks.follow((incarnations) => this.#touch(incarnations)),
      sinks.listen(({ written }) => this.#hurry(written)),
      ...[sources, sinks].map((replica) => replica.listen((change) => this.#rethink(change))),
    ];
    try {
      await this.#importAll(signal);
    } finally {
      for (const stop of stops) stop();
    }
  }

  async #importAll(signal: AbortSignal): Promise<void> {
    const { workLog, member, status } = this.#options;
    await status.sweep({ signal });
    const share = await WorkShare.join({ log: workLog, group: 'import', member }, { signal });
    this.#share = share;
    try {
      while (!signal.aborted && !this.#leaving.signal.aborted) {
        status.writeAgain();
        this.#history.writeAgain();
        const deadline = this.#startDue(signal);
        const now = this.#options.clock.monotonic();
        this.#running.look(now);
        const maxWaitMs = Math.min(1000, Math.max(1, deadline - now));
        await share.rest(maxWaitMs, { signal });
      }
    } finally {
      await Promise.all(this.#works);
      await Promise.all([status.close(), this.#history.close()]);
      await share[Symbol.asyncDispose]();
    }
  }

  /** Starts what is due, as far as the concurrency goes; answers when to look again, on the monotonic clock. */
  #startDue(signal: AbortSignal): number {
    const { clock, concurrency } = this.#options;
    const now = clock.monotonic();
    this.#touchAllWhenDue(now);
    for (const incarnation of this.#deadlines.take(now)) this.#touched.add(incarnation);
    for (const incarnation of this.#touched) this.#look(incarnation, now);
    this.#touched.clear();
    for (let free = concurrency - this.#works.size; free > 0; free -= 1) {
      const importer = this.#takeTurn(now);
      if (importer === undefined) break;
      this.#start(importer, signal);
    }
    return Math.min(this.#deadlines.first, this.#lookAllAt);
  }

  /** All of them when this process may have another share, and now and then. */
  #touchAllWhenDue(now: number): void {
    const generation = this.#share?.generation ?? -1;
    if (generation === this.#generation && now < this.#lookAllAt) return;
    this.#generation = generation;
    this.#lookAllAt = now + lookAgainMs;
    for (const { value } of this.#options.configuration.progress.values()) this.#touched.add(value.incarnation);
    for (const incarnation of this.#importers.keys()) this.#touched.add(incarnation);
  }

  /** Notes when there is something to do for a sink. One that is being worked on is looked at when that has ended. */
  #look(incarnation: Incarnation, now: number): void {
    this.#deadlines.delete(incarnation);
    this.#due.delete(incarnation);
    const held = this.#options.configuration.progress.get(progressId(incarnation));
    const isHere = held !== undefined && this.#isMine(incarnation);
    const importer = isHere ? this.#importerOf(incarnation) : this.#importers.get(incarnation);
    if (importer === undefined || importer.isWorking) return;
    const { restDueAt } = importer;
    if (!isHere && restDueAt === undefined) return this.#forget(incarnation, importer);
    const dueAt = isHere ? importer.dueAt(held, now) : undefined;
    const first = Math.min(dueAt ?? Number.POSITIVE_INFINITY, restDueAt ?? Number.POSITIVE_INFINITY);
    if (first <= now) this.#due.set(incarnation, importer);
    else if (first < Number.POSITIVE_INFINITY) this.#deadlines.set(incarnation, first);
  }

  /** Who is next of those that are due. */
  #takeTurn(now: number): SinkImporter | undefined {
    if (this.#due.size === 0) this.#order = [];
    else if (this.#order.length === 0 || this.#ordering.isDue(now)) {
      this.#order = this.#turns.order([...this.#due.values()], now).toReversed();
      this.#ordering.done({ began: now, ended: this.#options.clock.monotonic() });
    }
    for (let next = this.#order.pop(); next !== undefined; next = this.#order.pop())
      if (this.#due.get(next.incarnation) === next) {
        this.#due.delete(next.incarnation);
        return next;
      }
    // Of those in the order nobody is due any more.
    return this.#due.size === 0 ? undefined : this.#takeTurn(now);
  }

  /** Lets go of a sink that is gone or that another process now imports for, which reports its own failures. */
  #forget(incarnation: Incarnation, importer: SinkImporter): void {
    this.#importers.delete(incarnation);
    importer.leave();
  }

  #touch(incarnations: Iterable<Incarnation>): void {
    for (const incarnation of incarnations) this.#touched.add(incarnation);
    if (this.#touched.size > 0) this.#share?.wake();
  }

  /** Settings of a source or a sink may have changed. */
  #rethink({ written, removed }: ReplicaChange): void {
    for (const id of [...written, ...removed]) this.#touch(this.#sinks.of(id));
  }

  /** A person who changes a failing sink, as its error advises, sees at once whether that has healed it. */
  #hurry(sinks: readonly string[]): void {
    const { configuration } = this.#options;
    for (const id of sinks) {
      const incarnation = configuration.sinks.get(id)?.value.incarnation;
      if (incarnation === undefined) continue;
      this.#importers.get(incarnation)?.hurry();
      this.#touch([incarnation]);
    }
  }

  #start(importer: SinkImporter, signal: AbortSignal): void {
    const work = importer.work({ signal }).finally(() => {
      this.#works.delete(work);
      this.#touch([importer.incarnation]);
    });
    this.#works.add(work);
  }

  #isMine(incarnation: Incarnation): boolean {
    return this.#share?.has(incarnation) ?? false;
  }

  #importerOf(incarnation: Incarnation): SinkImporter {
    const found = this.#importers.get(incarnation);
    if (found !== undefined) return found;
    const { configuration } = this.#options;
    const importer = new SinkImporter(
      {
        ...this.#options,
        history: this.#history,
        running: this.#running,
        trigger: (key) => configuration.settingsOf(key).target.spread(incarnation),
      },
      incarnation,
    );
    this.#importers.set(incarnation, importer);
    return importer;
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
    this.#share?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
    await Promise.all(this.#works);
  }
}
