import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { provenBefore, withSample, type AgeSample } from './age-samples.ts';
import { InstallationTime, type StoredTime } from './installation-time.ts';
import { limits } from './limits.ts';

const hour = 3_600_000;
const day = 24 * hour;
const maxAgeMs = 8 * day;

/** An installation with one partition: real time, a wall that people set, processes that come and go, or are stopped for a while. */
class History {
  real = 0;
  /** How much of it a process ran. */
  ran = 0;
  readonly arrivedAt: number[] = [];
  samples: readonly AgeSample[] = [];
  #wallAhead = 0;
  #bootedAt = 0;
  #stored: StoredTime | undefined;
  #storedSamples: readonly AgeSample[] = [];
  time: InstallationTime;

  constructor() {
    this.time = this.#start();
  }

  append(): void {
    this.arrivedAt.push(this.ran);
  }

  /** The process runs, and looks from time to time. */
  run(ms: number): void {
    for (const end = this.real + ms; this.real < end;) {
      const step = Math.min(end - this.real, limits.runningStepMs);
      this.real += step;
      this.ran += step;
      this.look();
    }
  }

  /** The process is stopped for so long, as by SIGSTOP: both clocks go on, and nobody looks. */
  stop(ms: number): void {
    this.real += ms;
    this.look();
  }

  jump(ms: number): void {
    this.#wallAhead += ms;
    this.look();
  }

  /** The machine stands still for so long, and the process begins anew; a kill loses what was not stored. */
  restart(ms: number, { isKilled }: { readonly isKilled: boolean }): void {
    if (!isKilled) this.store();
    this.real += ms;
    this.#bootedAt = this.real;
    this.samples = this.#storedSamples;
    this.time = this.#start();
    this.look();
  }

  store(): void {
    this.#stored = this.time.stored;
    this.#storedSamples = this.samples;
  }

  look(): void {
    this.time.look(this.#reading());
    const { ranMs } = this.time;
    this.samples = withSample(this.samples, { end: this.arrivedAt.length, ranMs, ageMs: maxAgeMs });
  }

  /** Records below it may go although somebody needs them, as far as the wall allows it, too. */
  get removable(): number {
    return this.time.isTrusted ? provenBefore(this.samples, { ranMs: this.time.ranMs, ageMs: maxAgeMs }) : 0;
  }

  #start(): InstallationTime {
    return new InstallationTime(this.#stored, this.#reading());
  }

  #reading() {
    return { wall: this.real + this.#wallAhead, monotonic: this.real - this.#bootedAt };
  }
}

const ms = fc.integer({ min: 0, max: 12 * day });
const command = fc.oneof(
  fc.record({ kind: fc.constant('append' as const) }),
  fc.record({ kind: fc.constant('run' as const), ms }),
  fc.record({ kind: fc.constant('stop' as const), ms: fc.integer({ min: limits.runningStepMs + 1, max: 12 * day }) }),
  fc.record({ kind: fc.constant('store' as const) }),
  fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -400 * day, max: 400 * day }) }),
  fc.record({ kind: fc.constant('restart' as const), ms, isKilled: fc.boolean() }),
);

it('D2: no record that is needed may go before the product has run for its maximum age, whatever the clocks do', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const history = new History();
      for (const one of commands) {
        if (one.kind === 'append') history.append();
        else if (one.kind === 'run') history.run(one.ms);
        else if (one.kind === 'stop') history.stop(one.ms);
        else if (one.kind === 'store') history.store();
        else if (one.kind === 'jump') history.jump(one.ms);
        else history.restart(one.ms, one);
        const { removable, ran, arrivedAt } = history;
        for (const arrived of arrivedAt.slice(0, removable)) expect(ran - arrived).toBeGreaterThanOrEqual(maxAgeMs);
      }
    }),
    { numRuns: 2000 },
  );
});

it('D8: without a jump a record may go when its maximum age and the distance of two samples have passed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 * day }), { maxLength: 20 }), (pauses) => {
      const history = new History();
      for (const pause of pauses) {
        history.append();
        history.run(pause);
      }
      history.run(7 * hour);
      history.run(maxAgeMs + maxAgeMs / 48 + 14 * hour);
      expect(history.removable).toBe(history.arrivedAt.length);
      expect(history.samples.length).toBeLessThanOrEqual(51);
    }),
  );
});

it('D2: clocks that come apart by more than an hour are in doubt until they have agreed for a day, also in the next process', () => {
  const history = new History();
  history.run(day);
  expect(history.time.isTrusted).toBe(true);
  history.jump(-limits.clockDifferenceMs);
  expect(history.time.isTrusted, 'an hour').toBe(true);
  history.jump(-1);
  expect(history.time.isTrusted).toBe(false);
  history.run(day - hour);
  history.restart(30 * day, { isKilled: false });
  expect(history.time.isTrusted, 'what a process did not run through proves nothing').toBe(false);
  history.stop(30 * day);
  expect(history.time.isTrusted, 'nor does what it was stopped through').toBe(false);
  history.run(hour);
  expect(history.time.isTrusted).toBe(true);
});
