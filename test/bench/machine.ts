import { mkdtemp, open, rm } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem, type as system } from 'node:os';
import { join } from 'node:path';

/** The machine in one sentence, with how long a small write and its sync take on its disk. */
export async function machine(): Promise<string> {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const when = new Date().toISOString().slice(0, 10);
  return `Measured on ${when}: ${cpus().length} × ${first?.model ?? 'unknown processor'}, ${memory} GiB, ${system()} ${release()}, Node ${process.version}. A write of 4 KB with \`fdatasync\` took ${(await syncMs()).toFixed(2)} ms (median).`;
}

async function syncMs(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sync-'));
  const file = await open(join(folder, 'probe'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let round = 0; round < 101; round += 1) {
    const began = performance.now();
    await file.write(page, 0, page.length, round * page.length);
    await file.datasync();
    times.push(performance.now() - began);
  }
  await file.close();
  await rm(folder, { recursive: true, force: true });
  return times.toSorted((a, b) => a - b)[50] ?? 0;
}
