import { open, rm, statfs } from 'node:fs/promises';
import { cpus, release, totalmem, type as system } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';

/** The machine in one sentence, with how long a small write and its sync take in a folder. */
export async function machine(folder: string): Promise<string> {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const when = new Date().toISOString().slice(0, 10);
  return `Measured on ${when}: ${cpus().length} × ${first?.model ?? 'unknown processor'}, ${memory} GiB, ${system()} ${release()}, Node ${process.version}. A write of 4 KB with \`fdatasync\` took ${(await syncMs(folder)).toFixed(2)} ms (median).`;
}

async function syncMs(folder: string): Promise<number> {
  const path = join(folder, 'probe');
  const file = await open(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let round = 0; round < 101; round += 1) {
    const began = performance.now();
    await file.write(page, 0, page.length, round * page.length);
    await file.datasync();
    times.push(performance.now() - began);
  }
  await file.close();
  await rm(path);
  return median(times);
}

/** What Linux calls the file system that lies in memory (statfs(2)). */
const tmpfs = 0x01021994;

/** Whether a folder lies in memory, where a sync costs nothing. */
export async function inMemory(folder: string): Promise<boolean> {
  return process.platform === 'linux' && (await statfs(folder)).type === tmpfs;
}
