import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { RunningTime } from '../running-time.ts';
import { FailureWatch } from './failure-watch.ts';
import { hasLasted } from './lasting-failure.ts';
import { noteFailing } from './parked.ts';
import { isRefused, type LastingFailure, type SinkProgress } from './sink-progress.ts';

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];
const code = 'table.notFound';

/** One slice that fails whenever one of two processes tries it; what time it truly is, only the test knows. */
class Trial {
  #now = 0;
  /** How much of it the processes ran. */
  #ran = 0;
  wallAhead = Date.UTC(2024, 5, 1);
  document: SinkProgress = { ...progressOf(0), staged: [sliceOf({ id: 'a', from: -1, to: 0 })] };
  readonly #processes = [this.#started(), this.#started()] as const;
  #firstAt: number | undefined;

  #started() {
    const [watch, running] = [new FailureWatch(limits.failureStepMs), new RunningTime(limits.importerStepMs)];
    return { watch, running, startedAt: this.#now - 1000 };
  }

  restart(process: number): void {
    Object.assign(this.#processes[process] ?? {}, this.#started());
  }

  /** Both run, and look at their clocks now and then. */
  run(ms: number): void {
    for (let left = ms; left > 0; left -= limits.importerStepMs) {
      const step = Math.min(left, limits.importerStepMs);
      this.#now += step;
      this.#ran += step;
      for (const process of [0, 1]) this.#look(process);
    }
  }

  /** Both are stopped, as by SIGSTOP. */
  pause(ms: number): void {
    this.#now += ms;
  }

  #look(process: number): number {
    const { running, startedAt = 0 } = this.#processes[process] ?? {};
    return running?.look(this.#now - startedAt) ?? 0;
  }

  fail(process: number): void {
    const seen = { code, now: this.#now + this.wallAhead, ranMs: this.#look(process) };
    const after = noteFailing(this.document, (slice) => this.#processes[process]?.watch.observe(slice, seen));
    this.#firstAt ??= this.#ran;
    if (!isRefused(after)) this.document = after;
  }

  get failing(): LastingFailure | undefined {
    return this.document.staged[0]?.failing;
  }

  /** What processes truly ran since the first failure was seen. */
  get ranMs(): number {
    return this.#ran - (this.#firstAt ?? this.#ran);
  }

  get isGivenUp(): boolean {
    return hasLasted(this.failing, this.#now + this.wallAhead);
  }
}

const pauseMs = fc.integer({ min: limits.importerStepMs + 1, max: 9 * day });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('run'), ms: fc.integer({ min: 0, max: 20 * minute }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('runLong'), ms: fc.integer({ min: 0, max: 3 * day }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause'), ms: pauseMs }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jump'), ms: fc.integer({ min: -9 * day, max: 9 * day }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), ms: fc.constant(0) }) },
);

/** Two processes that try in turns, every ten minutes each. */
function runLong(trial: Trial, ms: number): void {
  for (let left = ms; left > 0; left -= 10 * minute) {
    trial.fail(0);
    trial.run(5 * minute);
    trial.fail(1);
    trial.run(5 * minute);
  }
}

describe('how long a slice has failed', () => {
  test('D2: is never more than processes ran since the first failure that was seen, whoever restarts, pauses or sets the clock', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ step, process: fc.nat(1) }), { maxLength: 40 }), (steps) => {
        const trial = new Trial();
        for (const { step, process } of steps) {
          if (step.kind === 'jump') trial.wallAhead += step.ms;
          else if (step.kind === 'restart') trial.restart(process);
          else if (step.kind === 'runLong') runLong(trial, step.ms);
          else if (step.kind === 'pause') trial.pause(step.ms);
          else trial.run(step.ms);
          trial.fail(process);
          expect(trial.failing?.provenMs).toBeLessThanOrEqual(trial.ranMs);
          expect(trial.isGivenUp && trial.ranMs < limits.stagedAgeMs).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('D4: grows to seven days and no further than that, though processes are started again each day', () => {
    const trial = new Trial();
    for (let days = 0; days < 7; days += 1) {
      trial.restart(0);
      trial.restart(1);
      runLong(trial, day);
      expect(trial.isGivenUp).toBe(false);
    }
    runLong(trial, 8 * hour);
    expect(trial.isGivenUp).toBe(true);
  });

  test('D2: does not grow over a pause, nor over a clock that jumps', () => {
    const trial = new Trial();
    trial.fail(0);
    trial.run(20 * minute);
    trial.fail(0);
    expect(trial.failing?.provenMs).toBe(20 * minute);
    trial.pause(limits.importerStepMs + 1);
    trial.wallAhead += 8 * day;
    trial.fail(0);
    expect(trial.failing?.provenMs).toBe(20 * minute);
    trial.run(limits.failureStepMs + 1);
    trial.fail(0);
    expect(trial.failing?.provenMs, 'nobody tried for so long').toBe(20 * minute);
  });

  test('D2: does not grow over stops that are short and many', () => {
    const trial = new Trial();
    for (let days = 0; days < 8; days += 29 / (24 * 60)) {
      trial.fail(0);
      trial.run(minute);
      trial.pause(28 * minute);
    }
    expect(trial.isGivenUp).toBe(false);
    expect(trial.failing?.provenMs).toBeLessThanOrEqual(trial.ranMs);
  });

  test('D2: is proven once by two that see it at the same time', () => {
    const trial = new Trial();
    runLong(trial, 4 * day);
    expect(trial.failing?.provenMs).toBeLessThanOrEqual(4 * day);
    expect(trial.failing?.provenMs).toBeGreaterThan(3.9 * day);
  });

  test('D2: begins anew with another cause, and when the clock was set back to before it', () => {
    const trial = new Trial();
    runLong(trial, day);
    const watch = new FailureWatch(limits.failureStepMs);
    const slice = { id: 'a', ...(trial.failing === undefined ? {} : { failing: trial.failing }) };
    const since = trial.failing?.since ?? 0;
    expect(watch.observe(slice, { code: 'sink.tokenMissing', now: since + day, ranMs: 0 })).toEqual({
      code: 'sink.tokenMissing',
      since: since + day,
      provenMs: 0,
    });
    expect(watch.observe(slice, { code, now: since - 1, ranMs: 0 })).toEqual({
      code,
      since: since - 1,
      provenMs: 0,
    });
  });

  test('D2: the same failure noted again, as after a compare-and-set that was lost, proves nothing more', () => {
    const watch = new FailureWatch(limits.failureStepMs);
    const first = watch.observe({ id: 'a' }, { code, now: 5, ranMs: 0 });
    const second = { code, now: 5 + minute, ranMs: minute };
    const once = watch.observe({ id: 'a', failing: first }, second);
    expect(watch.observe({ id: 'a', failing: first }, second)).toEqual(once);
    expect(once.provenMs).toBe(minute);
  });

  test('D4: is written down when a minute more is proven, and nothing of a running import changes', () => {
    const failing = { code, since: 5, provenMs: 1000 };
    const before = { ...progressOf(0), staged: [sliceOf({ id: 'a', from: -1, to: 0, failing })] };
    expect(noteFailing(before, () => ({ ...failing, provenMs: 60_999 }))).toHaveProperty('reason');
    const after = allowed(noteFailing(before, () => ({ ...failing, provenMs: 61_000 })));
    expect(after.staged[0]?.failing?.provenMs).toBe(61_000);
    const importing = { number: 1, id: 'i', slices: before.staged, startedAt: 0 };
    const running = { ...before, staged: [], importing };
    expect(noteFailing(running, () => ({ ...failing, provenMs: 61_000 }))).toHaveProperty('reason');
  });
});
