import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/** A test file and what it took, as a line of the file that MILLRACE_TEST_COSTS names. */
export interface CostOfFile {
  readonly file: string;
  readonly seconds: number;
  /** Processor time of the worker and of the processes that it started and saw end. */
  readonly cpuSeconds: number;
}

/** Of a worker that runs several files in turn: where the one before ended. */
const before = globalThis as { endOfCostBefore?: Reading };

interface Reading {
  readonly at: number;
  readonly cpuSeconds: number;
}

const file = process.env['MILLRACE_TEST_COSTS'];
const startedAt = performance.timeOrigin;

if (file !== undefined) {
  afterAll(() => {
    const from = before.endOfCostBefore ?? { at: startedAt, cpuSeconds: 0 };
    const now: Reading = { at: Date.now(), cpuSeconds: ownCpuSeconds() + cpuSecondsOfChildren() };
    before.endOfCostBefore = now;
    const cost: CostOfFile = {
      file: relative(process.cwd(), expect.getState().testPath ?? ''),
      seconds: (now.at - from.at) / 1000,
      cpuSeconds: now.cpuSeconds - from.cpuSeconds,
    };
    appendFileSync(file, `${JSON.stringify(cost)}\n`);
  });
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Linux keeps count of the children that were waited for, and of theirs; elsewhere they cost nothing. */
function cpuSecondsOfChildren(): number {
  try {
    // Behind the name in brackets, which may hold blanks: cutime and cstime, in hundredths.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}
