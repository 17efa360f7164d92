import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { earlierIntervalMs } from '../../core/earlier-interval.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { Turns } from './turns.ts';

/** A sink that is due so long after its last import began, whose imports take a while. */
interface TimedSink {
  readonly everyMs: number;
  startedAt: number;
  waitsSince: number;
  worksUntil: number;
  worstMs: number;
  imports: number;
}

function sinkOf(everyMs: number): TimedSink {
  return { everyMs, startedAt: 0, waitsSince: 0, worksUntil: 0, worstMs: 0, imports: 0 };
}

/** Ten minutes of these sinks, so many of them at a time; an import takes `importMs`. */
function run(sinks: readonly TimedSink[], { atOnce, importMs }: { atOnce: number; importMs: number }): void {
  const clock = new FakeClock();
  const turns = new Turns<TimedSink>();
  for (; clock.monotonic() < 600_000; clock.advance(50)) {
    const now = clock.monotonic();
    const working = sinks.filter(({ worksUntil }) => worksUntil > now);
    const due = sinks.filter((sink) => sink.worksUntil <= now && now >= sink.waitsSince + sink.everyMs);
    for (const sink of turns.order(due, now).slice(0, Math.max(0, atOnce - working.length))) {
      sink.worstMs = Math.max(sink.worstMs, now - sink.waitsSince - sink.everyMs);
      Object.assign(sink, { startedAt: now, waitsSince: now, worksUntil: now + importMs, imports: sink.imports + 1 });
    }
  }
}

it('D5: a sink that fills up within seconds waits for seconds beside 200 small ones that are due together', () => {
  const busy = sinkOf(3000);
  const small = Array.from({ length: 200 }, () => sinkOf(60_000));
  run([...small, busy], { atOnce: 2, importMs: 400 });
  expect(busy.worstMs).toBeLessThan(5000);
  expect(Math.max(...small.map(({ worstMs }) => worstMs))).toBeLessThan(60_000);
});

it('D5: none starves while more is due than can be done', () => {
  const busy = Array.from({ length: 10 }, () => sinkOf(1000));
  const small = Array.from({ length: 50 }, () => sinkOf(60_000));
  run([...busy, ...small], { atOnce: 1, importMs: 400 });
  for (const { imports, worstMs } of busy) {
    expect(imports).toBeGreaterThan(80);
    expect(worstMs).toBeLessThan(10_000);
  }
  for (const { imports, worstMs } of small) {
    expect(imports).toBeGreaterThanOrEqual(1);
    expect(worstMs).toBeLessThan(300_000);
  }
});

it('D5: sinks that were made together and are due a little earlier each do not stay due together', () => {
  const late = (spread: (index: number) => number): number => {
    const small = Array.from({ length: 200 }, (_, index) => sinkOf(spread(index)));
    run(small, { atOnce: 8, importMs: 400 });
    return Math.max(...small.map(({ worstMs }) => worstMs));
  };
  expect(late(() => 60_000)).toBeGreaterThan(9000);
  expect(late((index) => earlierIntervalMs(60_000, parseIncarnation(index + 1)))).toBeLessThan(1000);
});
