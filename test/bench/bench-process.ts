import { readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../support/api.ts';
import { startProcess, type ProductProcess } from '../support/process.ts';

export const benchToken = 'bench-root-token';

/** The product in a process of its own on a temporary folder. */
export interface BenchProcess extends AsyncDisposable {
  readonly product: ProductProcess;
  readonly api: Api;
  readonly folder: string;
}

/** Starts it; `folder` keeps its data for a next start, and is not removed then. */
export async function startBenchProcess(folder?: string): Promise<BenchProcess> {
  const own = folder ?? (await mkdtemp(join(tmpdir(), 'millrace-bench-')));
  const product = await startProcess({
    env: {
      MILLRACE_DATA_DIR: own,
      MILLRACE_ROOT_TOKEN: benchToken,
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_LOG_LEVEL: 'warn',
    },
  });
  return {
    product,
    api: new Api(product.admin, benchToken),
    folder: own,
    [Symbol.asyncDispose]: async () => {
      product.kill('SIGTERM');
      await product.ended;
      if (folder === undefined) await rm(own, { recursive: true, force: true });
    },
  };
}

export interface ProcessUsage {
  /** Resident memory that is not backed by files, MB; the log's pages are the page cache's. */
  readonly anonymousMb: number;
  readonly residentMb: number;
  /** User and system time since the start, seconds. */
  readonly cpuSeconds: number;
}

/** What the operating system says of a process. */
export async function processUsage(pid: number): Promise<ProcessUsage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const kb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    anonymousMb: kb('RssAnon') / 1024,
    residentMb: kb('VmRSS') / 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
  };
}

/** Looks at a process's memory four times a second until it is stopped; answers the highest figures. */
export function watchMemory(pid: number): { readonly stop: () => Pick<ProcessUsage, 'anonymousMb' | 'residentMb'> } {
  let [anonymousMb, residentMb] = [0, 0];
  const look = async (): Promise<void> => {
    const usage = await processUsage(pid);
    anonymousMb = Math.max(anonymousMb, usage.anonymousMb);
    residentMb = Math.max(residentMb, usage.residentMb);
  };
  const timer = setInterval(() => void look(), 250);
  return {
    stop: () => {
      clearInterval(timer);
      return { anonymousMb, residentMb };
    },
  };
}
