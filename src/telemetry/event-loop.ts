import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Telemetry } from './telemetry.ts';

/** A scrape sees what has happened since one to two of these. */
const stepMs = 5000;
const resolutionMs = 20;

/**
 * Measures how busy the event loop of this thread is, for as long as the thread lives. Node measures it by itself: nothing runs per
 * event.
 */
export function measureEventLoop({ metrics }: Telemetry, thread: string): void {
  const delay = metrics.gauge('millrace_event_loop_delay_seconds');
  const used = metrics.gauge('millrace_event_loop_utilization_ratio');
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let before = performance.eventLoopUtilization();
  let lastDelay = 0;
  const step = (): void => {
    const now = performance.eventLoopUtilization();
    const longest = histogram.count === 0 ? 0 : Math.max(0, histogram.max / 1e9 - resolutionMs / 1000);
    delay.set({ thread }, Math.max(longest, lastDelay));
    used.set({ thread }, performance.eventLoopUtilization(now, before).utilization);
    lastDelay = longest;
    before = now;
    histogram.reset();
  };
  delay.set({ thread }, 0);
  used.set({ thread }, 0);
  setInterval(step, stepMs).unref();
}
