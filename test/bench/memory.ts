import { readFile } from 'node:fs/promises';

export interface Memory {
  /** Resident memory that is not backed by files, MB; pages of the log that were read are the page cache's. */
  readonly anonymousMb: number;
  readonly residentMb: number;
}

/** What Linux says of the memory of a process; elsewhere nobody tells one from the other. */
export async function readMemory(pid: number): Promise<Memory> {
  if (process.platform !== 'linux') return { anonymousMb: Number.NaN, residentMb: Number.NaN };
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return { anonymousMb: kb('RssAnon') / 1024, residentMb: kb('VmRSS') / 1024 };
}

/** Looks at a process's memory four times a second until it is stopped; answers the highest figures. */
export function watchMemory(pid: number): { readonly stop: () => Memory } {
  let [anonymousMb, residentMb] = [0, 0];
  const look = async (): Promise<void> => {
    const memory = await readMemory(pid);
    anonymousMb = Math.max(anonymousMb, memory.anonymousMb);
    residentMb = Math.max(residentMb, memory.residentMb);
  };
  // A bench that fails ends.
  const timer = setInterval(() => void look().catch(() => undefined), 250).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return { anonymousMb, residentMb };
    },
  };
}
