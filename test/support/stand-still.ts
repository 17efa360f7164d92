import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const withinMs = 120_000;

/**
 * Stops a process (SIGSTOP) and resolves when all of its threads stand still: on a busy machine the others run on for milliseconds, until
 * the one that was told has had its turn. Where the system tells no states of threads (anything but Linux), it waits for nothing.
 */
export async function standStill(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch {
    // It has ended already.
    return;
  }
  const deadline = performance.now() + withinMs;
  while (!(await standsStill(pid))) {
    if (performance.now() > deadline) throw new Error(`process ${pid} was stopped, and runs on`);
    await sleep(1);
  }
}

async function standsStill(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(threads.map((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`)));
  return states.every((state) => state !== undefined && 'TtZX'.includes(state));
}

/** The letter behind the name, which may hold anything: `7 (a) b) T 1 …`. A thread that is gone is dead (`X`). */
async function stateOf(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => ') X');
  return text[text.lastIndexOf(')') + 2];
}
