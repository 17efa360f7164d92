import { progressId } from '../../documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { RunningTime } from '../../core/running-time.ts';
import type { Service } from '../../core/service.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Configuration } from '../replica/configuration.ts';
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

/** Imports for all sinks that the group assigns to this process. */
export class ImportService implements Service {
  readonly id = 'import';
  readonly #options: ImportServiceOptions;
  readonly #history: ImportHistory;
  readonly #running = new RunningTime(limits.importerStepMs);
  readonly #importers = new Map<Incarnation, SinkImporter>();
  readonly #turns = new Turns<SinkImporter>();
  readonly #works = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  #share: WorkShare | undefined;

  constructor(options: ImportServiceOptions) {
    this.#options = options;
    this.#history = new ImportHistory(options.catalog);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { configuration, workLog, member, status } = this.#options;
    await status.sweep({ signal });
    const share = await WorkShare.join({ log: workLog, group: 'import', member }, { signal });
    this.#share = share;
    const stopListening = configuration.listen(() => share.wake());
    const stopHurrying = configuration.sinks.listen(({ written }) => this.#hurry(written));
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
      stopListening();
      stopHurrying();
      await Promise.all(this.#works);
      await Promise.all([status.close(), this.#history.close()]);
      await share[Symbol.asyncDispose]();
    }
  }

  /** Starts what is due, as far as the concurrency goes; answers when to look again, on the monotonic clock. */
  #startDue(signal: AbortSignal): number {
    const { configuration, clock, concurrency } = this.#options;
    const now = clock.monotonic();
    let deadline = Number.POSITIVE_INFINITY;
    const due: SinkImporter[] = [];
    for (const held of configuration.progress.values()) {
      if (!this.#isMine(held.value.incarnation)) continue;
      const importer = this.#importerOf(held.value.incarnation);
      if (importer.isWorking) continue;
      const dueAt = importer.dueAt(held, now) ?? Number.POSITIVE_INFINITY;
      if (dueAt > now) deadline = Math.min(deadline, dueAt);
      else due.push(importer);
    }
    for (const importer of this.#importers.values()) {
      const { restDueAt, isWorking } = importer;
      if (restDueAt === undefined || isWorking || due.includes(importer)) continue;
      if (restDueAt > now) deadline = Math.min(deadline, restDueAt);
      else due.push(importer);
    }
    const free = Math.max(0, concurrency - this.#works.size);
    for (const importer of this.#turns.order(due, now).slice(0, free)) this.#start(importer, signal);
    this.#forgetOthers();
    return deadline;
  }

  /** Lets go of sinks that are gone or that another process now imports for, which reports its own failures. */
  #forgetOthers(): void {
    const { configuration } = this.#options;
    for (const [incarnation, importer] of this.#importers) {
      const isHere = configuration.progress.get(progressId(incarnation)) !== undefined && this.#isMine(incarnation);
      if (isHere || importer.isWorking || importer.restDueAt !== undefined) continue;
      this.#importers.delete(incarnation);
      importer.leave();
    }
  }

  /** A person who changes a failing sink, as its error advises, sees at once whether that has healed it. */
  #hurry(sinks: readonly string[]): void {
    const { configuration } = this.#options;
    for (const id of sinks) {
      const incarnation = configuration.sinks.get(id)?.value.incarnation;
      if (incarnation !== undefined) this.#importers.get(incarnation)?.hurry();
    }
  }

  #start(importer: SinkImporter, signal: AbortSignal): void {
    const work = importer.work({ signal }).finally(() => {
      this.#works.delete(work);
      this.#share?.wake();
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
