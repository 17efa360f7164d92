import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Microseconds of processor time, in the program and in the system on its behalf. */
export interface Times {
  readonly user: number;
  readonly system: number;
}

/** What a process has used since it was started. */
export interface ProcessorTime {
  readonly all: Times;
  /** By the parts of a process; empty where the machine does not tell threads apart. */
  readonly threads: ReadonlyMap<string, Times>;
}

/** Linux counts in hundredths of a second, whatever its own clock is. */
const microsecondsPerTick = 10_000;

/**
 * Reads what Linux says of each thread in `/proc/PID/task`, and of the process as a whole, so that threads that have ended count, too.
 * Elsewhere `ps` says what `getrusage` would say inside of the process, all of it as time of the program.
 */
export async function readProcessorTime(pid: number): Promise<ProcessorTime> {
  if (!existsSync('/proc/self/stat')) return { all: await timesByPs(pid), threads: new Map() };
  const stats = await Promise.all((await readdir(`/proc/${pid}/task`)).map((tid) => threadStat(pid, tid)));
  const threads = new Map<string, Times>();
  for (const { id, name, ...times } of stats.filter((stat) => stat !== undefined)) {
    const part = id === pid ? 'main' : partOf(name);
    threads.set(part, sum(threads.get(part), times));
  }
  const { user, system } = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
  return { all: { user, system }, threads };
}

/** Undefined when it has ended meanwhile. */
async function threadStat(pid: number, tid: string): Promise<ThreadStat | undefined> {
  try {
    return parseStat(await readFile(`/proc/${pid}/task/${tid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

export interface ThreadStat extends Times {
  readonly id: number;
  readonly name: string;
}

/** A line of `/proc/PID/stat` (proc_pid_stat(5)). A name may hold blanks and parentheses; the last one ends it. */
export function parseStat(line: string): ThreadStat {
  const [open, close] = [line.indexOf('('), line.lastIndexOf(')')];
  const fields = line.slice(close + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (open < 0 || Number.isNaN(user + system)) throw new Error(`not a line of /proc/PID/stat: ${line}`);
  return {
    id: Number(line.slice(0, open)),
    name: line.slice(open + 1, close),
    user: user * microsecondsPerTick,
    system: system * microsecondsPerTick,
  };
}

/** Names that Node gives its threads, up to 15 characters. One of a role has the name of the role, from the second on with a number. */
const parts: readonly (readonly [name: RegExp, part: string])[] = [
  [/^(?:V8Worker|DelayedTaskSche)/, 'V8'],
  [/^libuv-worker/, 'pool'],
  // A thread of a driver has the name of the thread that made it.
  [/^(?:MainThread|node)$/, 'drivers'],
  [/^SignalInspector$/, 'other'],
];

/** In a cluster a thread has the name of its member: machine, process, role. */
const ofMember = /^.*-\d+-(?=[a-z])/;

/** The part of a process to which a thread belongs. */
export function partOf(name: string): string {
  return parts.find(([pattern]) => pattern.test(name))?.[1] ?? name.replace(ofMember, '').replace(/-?\d*$/, '');
}

async function timesByPs(pid: number): Promise<Times> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)]);
  return { user: parsePsTime(stdout), system: 0 };
}

/** `[[days-]hours:]minutes:seconds`, the seconds with hundredths on some systems, in microseconds. */
export function parsePsTime(text: string): number {
  const { days = '0', clock = '' } = /^\s*(?:(?<days>\d+)-)?(?<clock>[\d:.]+)\s*$/.exec(text)?.groups ?? {};
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  if (clock === '' || Number.isNaN(seconds)) throw new Error(`not a time of ps: ${text}`);
  return Math.round((Number(days) * 86_400 + seconds) * 1e6);
}

function sum(one: Times | undefined, other: Times): Times {
  return { user: (one?.user ?? 0) + other.user, system: (one?.system ?? 0) + other.system };
}

/** What was used between two readings. Parts that used nothing are left out; what ended threads have used is a part, too. */
export function timeBetween(before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  const less = (one: Times, other: Times | undefined): Times => ({
    user: one.user - (other?.user ?? 0),
    system: one.system - (other?.system ?? 0),
  });
  const threads = new Map(
    [...after.threads].flatMap(([part, times]) => {
      const used = less(times, before.threads.get(part));
      return totalOf(used) > 0 ? [[part, used] as const] : [];
    }),
  );
  return { all: less(after.all, before.all), threads };
}

export function totalOf({ user, system }: Times): number {
  return user + system;
}
