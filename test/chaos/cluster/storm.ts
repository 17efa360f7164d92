import { setTimeout as sleep } from 'node:timers/promises';
import { describeFault, subjectOf, type Fault } from './fault.ts';

export interface StormOptions {
  readonly plan: readonly Fault[];
  readonly random: () => number;
  /** Resolves when all is right again. */
  readonly inject: (fault: Fault) => Promise<void>;
  /** What goes on beside the faults; it ends soon after its signal. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called with nothing wrong and no work, after every so many faults; rejects when the cluster does not get going again. */
  readonly calm: () => Promise<void>;
  readonly calmEvery: number;
  readonly say: (line: string) => void;
  /** Rejects when something else has failed: no more faults then. */
  readonly failed: Promise<never>;
}

/** So much goes wrong at a time. */
const atOnce = 3;
/** What takes so much longer to heal is told: it is where the time of a run goes. */
const slowMs = 5000;

/** Lets the faults happen at random moments, some at the same time, none on the same subject; all is right again at the end. */
export async function storm({ plan, calmEvery, work, calm, ...options }: StormOptions): Promise<void> {
  for (let from = 0; from < plan.length; from += calmEvery) {
    const working = new AbortController();
    const worked = work(working.signal);
    worked.catch(() => undefined);
    try {
      await squall(plan.slice(from, from + calmEvery), { ...options, first: from + 1, of: plan.length });
    } finally {
      working.abort();
    }
    await Promise.race([worked, options.failed]);
    await Promise.race([calm(), options.failed]);
  }
}

interface SquallOptions extends Pick<StormOptions, 'random' | 'inject' | 'say' | 'failed'> {
  readonly first: number;
  readonly of: number;
}

async function squall(
  faults: readonly Fault[],
  { random, inject, say, failed, first, of }: SquallOptions,
): Promise<void> {
  const active = new Map<string, Promise<void>>();
  const heals = async (fault: Fault): Promise<string | undefined> => {
    const began = performance.now();
    await inject(fault);
    const ms = performance.now() - began;
    return ms > fault.forMs + slowMs ? (ms / 1000).toFixed(1) : undefined;
  };
  const waiting = [...faults];
  for (let number = first; waiting.length > 0; number += 1) {
    while (active.size >= atOnce) await Promise.race([...active.values(), failed]);
    const index = waiting.findIndex((fault) => !active.has(subjectOf(fault)));
    const [fault] = waiting.splice(Math.max(index, 0), 1);
    if (fault === undefined) break;
    const subject = subjectOf(fault);
    const before = active.get(subject);
    if (before !== undefined) await Promise.race([before, failed]);
    say(`${number} of ${of}: ${describeFault(fault)}`);
    const healed = heals(fault).then((seconds) => {
      active.delete(subject);
      return seconds === undefined ? undefined : say(`${number} of ${of}: healed after ${seconds} s`);
    });
    // Whoever waits for it next sees why it failed.
    healed.catch(() => undefined);
    active.set(subject, healed);
    await Promise.race([sleep(200 + random() * 2300), failed]);
  }
  await Promise.race([Promise.all(active.values()), failed]);
}
