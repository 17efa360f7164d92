import { crc32 } from 'node:zlib';
import type { Clock } from '../../core/clock.ts';
import { configurationJobKey } from '../../core/jobs/job-key.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import { nextRun, wasMistaken } from '../../core/schedules/due-run.ts';
import type { Schedule } from '../../core/schedules/schedule.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Held, Replica } from '../replica/replica.ts';
import { keepSchedule, type KeepParts } from './keep-schedule.ts';

export interface ScheduleKeeperOptions extends KeepParts {
  readonly clock: Clock;
  readonly schedules: Replica<Schedule>;
  readonly retry: RetryPacing;
}

/** So many are looked after at once. */
const atOnce = 8;

/** Looks after the schedules of this process's share. The job of a schedule is run where its schedule is kept: they have one key. */
export class ScheduleKeeper {
  readonly #options: ScheduleKeeperOptions;
  readonly #busy = new Map<string, Promise<void>>();
  /** When the next run of each is planned, by revision; undefined for never. */
  readonly #planned = new Map<string, { readonly revision: number; readonly at: number | undefined }>();
  /** When one that could not be looked after is tried again. */
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(options: ScheduleKeeperOptions) {
    this.#options = options;
  }

  /** The copy that it goes by, for who follows it. */
  get schedules(): Replica<Schedule> {
    return this.#options.schedules;
  }

  /** Begins with what is due, and answers how long nothing else is; `wake` is called when it is done with one. */
  look(
    { has, wake }: { readonly has: (number: number) => boolean; readonly wake: () => void },
    waiting: Waiting,
  ): number {
    const { schedules, clock } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    let rest = Infinity;
    for (const held of schedules.values()) {
      if (!has(crc32(configurationJobKey(held.value)))) continue;
      const at = this.#plannedAt(held);
      if (this.#busy.has(held.id) || at === undefined) continue;
      const isDue = at <= now || wasMistaken(held.value, { now });
      const pause = (this.#pauses.get(held.id)?.until ?? 0) - monotonic;
      if (isDue && pause <= 0 && this.#busy.size < atOnce) this.#start(held, wake, waiting);
      else rest = Math.min(rest, Math.max(at - now, pause, 1));
    }
    for (const id of this.#planned.keys()) if (schedules.get(id) === undefined) this.#planned.delete(id);
    return rest;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  #plannedAt({ id, revision, value }: Held<Schedule>): number | undefined {
    const known = this.#planned.get(id);
    if (known?.revision === revision) return known.at;
    const at = this.#plan(value);
    this.#planned.set(id, { revision, at });
    return at;
  }

  #plan(schedule: Schedule): number | undefined {
    if (schedule.lastRun?.isMade === false) return -Infinity;
    try {
      return nextRun(schedule);
    } catch (thrown) {
      // A time zone that this system does not know.
      this.#options.observer.heldUp(schedule, MillraceError.fromUnknown(thrown));
      return undefined;
    }
  }

  #start({ id, value }: Held<Schedule>, wake: () => void, { signal }: Waiting): void {
    const { clock, retry, observer, schedules } = this.#options;
    const keep = async (): Promise<void> => {
      try {
        await keepSchedule(this.#options, id, { signal });
        this.#pauses.delete(id);
        // The copy must not show as due what has just been decided.
        await schedules.refresh(0, { signal });
      } catch (thrown) {
        if (signal.aborted) return;
        const failures = (this.#pauses.get(id)?.failures ?? 0) + 1;
        this.#pauses.set(id, { failures, until: clock.monotonic() + retry.pauseMs(failures) });
        observer.heldUp(value, MillraceError.fromUnknown(thrown));
      } finally {
        this.#busy.delete(id);
        wake();
      }
    };
    const began = Promise.withResolvers<void>();
    this.#busy.set(id, began.promise.then(keep));
    began.resolve();
  }
}
