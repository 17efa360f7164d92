import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A wall clock that runs faster than time, for processes that are started with its `env`: also for one that takes the place of another. */
export class FastClock implements Disposable {
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;

  private constructor(folder: string, rate: number) {
    this.#folder = folder;
    this.env = { LD_PRELOAD: join(folder, 'fast-clock.so'), FAST_CLOCK: `${Math.floor(Date.now() / 1000)} ${rate}` };
  }

  /** Right at this moment. Undefined, with the reason on standard error, where there is no compiler for it, or no way to load it. */
  static build(rate: number): FastClock | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-fast-clock-'));
    const clock = new FastClock(folder, rate);
    try {
      const source = join(import.meta.dirname, 'fast-clock.c');
      const library = join(folder, 'fast-clock.so');
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const later = execFileSync(process.execPath, ['-p', 'Date.now()'], {
        env: { ...clock.env, FAST_CLOCK: '0 2' },
      });
      if (Number(later) < 1.5 * Date.now()) throw new Error('a process does not take it');
      return clock;
    } catch (thrown) {
      clock[Symbol.dispose]();
      process.stderr.write(`skipped: a clock cannot be made to run fast here: ${String(thrown)}\n`);
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
