import type { Clock } from '../core/clock.ts';
import { InstallationTime, type ClockReading } from '../core/installation-time.ts';
import { limits } from '../core/limits.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { ObjectAddresses } from './addresses.ts';
import { AuditTrail } from './audit/audit-trail.ts';
import { removeOldEntries } from './audit/old-entries.ts';
import { endOrphanedEntries } from './audit/orphaned-entries.ts';
import { removeOldStorageJobs, resumeStorageJobs } from './imports/storage-jobs.ts';
import { runStorageJob } from './imports/run-storage-job.ts';
import { ImportQueue } from './tasks/import-queue.ts';
import { Uploads } from './tasks/uploads.ts';
import { forgetUnmadeJobs, lastJobNumber } from './operations/forget-unmade-jobs.ts';
import { removeExpiredTokens } from './operations/remove-expired-tokens.ts';
import { removeOldJobs } from './operations/remove-old-jobs.ts';
import { SinkTokenRights } from './operations/sink-token-rights.ts';
import { sweep, sweepBeside } from './operations/sweep.ts';
import type { Parts, Surroundings } from './parts.ts';
import { FencedCatalog } from './seat/fenced-catalog.ts';
import type { Peers } from './seat/peers.ts';
import { Seat } from './seat/seat.ts';
import { SeatKeeper } from './seat/seat-keeper.ts';
import { Sampler } from './samples/sampler.ts';
import { Configurations } from './store/configurations.ts';
import { Definitions } from './store/definitions.ts';
import { SecretStore } from './store/secrets.ts';
import { TokenStore } from './store/tokens.ts';
import { Chores } from './tasks/chores.ts';
import { endOrphanedTasks, removeOldTasks } from './tasks/old-tasks.ts';
import { TaskRunner } from './tasks/task-runner.ts';

export interface ControlConfig {
  readonly projectId: number;
  /** Partitions of a source made from now on. */
  readonly partitions: number;
  /** Sources that a branch may have. */
  readonly maxSources: number;
  /** Name of this life of the process, in the tasks that it runs and for the seat; never used again. */
  readonly owner: string;
  /** How long an heir of the seat gives its predecessor to finish what runs; 0 where there is one process only. */
  readonly handoverMs: number;
}

export interface ControlDependencies extends Surroundings {
  readonly config: ControlConfig;
  /** SHA-256 of the root token, hexadecimal. */
  readonly rootTokenHash: string;
  readonly addresses: ObjectAddresses;
  readonly peers: Peers;
}

/** Longer than whatever a process that lost the seat may still be at. */
const houseMs = 2 * limits.taskTimeoutMs;

/** What the API does, and which of several processes does it: the one that has the seat makes changes and cleans up. */
export class Control {
  readonly parts: Parts;
  readonly seat: Seat;
  readonly #keeper: SeatKeeper;
  /** Of the tenure in which writes are accepted. */
  #accepting: AbortSignal | undefined;

  constructor(dependencies: ControlDependencies) {
    const { catalog, sinkLog, clock, telemetry, config, peers } = dependencies;
    const { owner, handoverMs } = config;
    this.seat = new Seat({ catalog, clock, owner });
    this.parts = partsOf(dependencies, this.seat);
    this.#keeper = new SeatKeeper({
      seat: this.seat,
      log: sinkLog,
      clock,
      logger: telemetry.log,
      member: owner,
      peers,
      handoverMs,
      hold: (tenure) => this.#hold(tenure),
      finish: () => this.#finish(),
    });
  }

  /**
   * Resolves when operations are accepted, here (once what the last holder of the seat left is put right) or by another
   * process. Rejects when that fails.
   */
  get ready(): Promise<void> {
    return this.#keeper.ready;
  }

  /** True while this process holds the seat and has put right what its predecessor left. Otherwise another one changes things. */
  get acceptsChanges(): boolean {
    return this.#accepting?.aborted === false;
  }

  /** Tries to get the seat until it is told to leave, and cleans up while it has it. */
  run(options: Waiting): Promise<void> {
    return this.#keeper.run(options);
  }

  /** D10: no new task; what runs is finished and said to be, and the seat is free. */
  async drain(): Promise<void> {
    await this.parts.tasks.drain();
    await this.parts.audit.settled();
    await this.#keeper.leave();
  }

  /** Leaves everything as it is; who has the seat next puts it right. */
  stop(): void {
    this.parts.tasks.stop();
    this.parts.audit.stop();
  }

  /** Puts right what the last holder of the seat left, then accepts writes and cleans up until the seat is lost. */
  async #hold({ signal, accepting }: Waiting & { readonly accepting: () => void }): Promise<void> {
    const { chores, imports } = this.parts;
    chores.clear();
    imports.clear();
    await sweep(this.parts, { signal });
    this.#accepting = signal;
    await resumeStorageJobs(this.parts, { signal });
    accepting();
    const importing = imports.run((jobId) => runStorageJob(this.parts, jobId, { signal }), { signal });
    const sampling = new Sampler(this.parts).run({ signal });
    await Promise.all([chores.run({ signal }), this.#keepHouse({ signal }), importing, sampling]);
  }

  async #keepHouse({ signal }: Waiting): Promise<void> {
    const { clock, telemetry } = this.parts;
    const rights = new SinkTokenRights(this.parts);
    const time = new InstallationTime(undefined, readingOf(clock));
    let lastJob = 0;
    for (let round = 0; !signal.aborted; round += 1) {
      try {
        if (round > 0) await sweepBeside(this.parts, { signal });
        await endOrphanedTasks(this.parts, { signal, olderThanMs: houseMs });
        await removeOldTasks(this.parts, { signal });
        await endOrphanedEntries(this.parts, { signal });
        await removeOldEntries(this.parts, { signal });
        await removeExpiredTokens(this.parts, { signal });
        await rights.fit({ signal });
        time.look(readingOf(clock));
        await removeOldJobs(this.parts, { signal, isClockTrusted: time.isTrusted });
        await removeOldStorageJobs(this.parts, { signal });
        // Of the round before: a job that is being made now is made by the next one.
        await forgetUnmadeJobs(this.parts, { signal, upTo: lastJob });
        lastJob = await lastJobNumber(this.parts, { signal });
      } catch (thrown) {
        if (!signal.aborted) telemetry.log.warn({ err: thrown }, 'what was left over is not removed');
      }
      await clock.sleep(houseMs, { signal }).catch(() => undefined);
    }
  }

  /** What runs is finished and said to be. */
  async #finish(): Promise<void> {
    await this.parts.tasks.finish();
    await this.parts.audit.settled();
  }
}

function readingOf(clock: Clock): ClockReading {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

function partsOf({ config, rootTokenHash, peers: _, ...surroundings }: ControlDependencies, seat: Seat): Parts {
  const { catalog: ownCatalog, clock, random, telemetry, secretKeys: keys } = surroundings;
  const { projectId, partitions, maxSources, owner } = config;
  const catalog = new FencedCatalog(ownCatalog, seat);
  const chores = new Chores({ clock, log: telemetry.log });
  return {
    ...surroundings,
    catalog,
    ownCatalog,
    seat,
    partitions,
    maxSources,
    definitions: new Definitions(catalog),
    configurations: new Configurations(catalog),
    secrets: new SecretStore({ catalog: ownCatalog, keys, random }),
    tokens: new TokenStore({ catalog, random, projectId, rootTokenHash }),
    tasks: new TaskRunner({ catalog: ownCatalog, seat, clock, random, telemetry, owner }),
    chores,
    uploads: new Uploads(),
    imports: new ImportQueue({ log: telemetry.log }),
    audit: new AuditTrail({ catalog, ownCatalog, clock, chores }),
  };
}
