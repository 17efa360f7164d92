import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type DiskFault = 'read' | 'write' | 'meta' | 'sync';

/** A disk that answers one call with EIO when it is told to, for processes that are started with its `env`. */
export class FailingDisk implements Disposable {
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #order: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#order = join(folder, 'order');
    this.env = { LD_PRELOAD: join(folder, 'failing-disk.so'), FAILING_DISK: this.#order };
  }

  /** Undefined, with the reason on standard error, where there is no compiler for it, or no way to load it. */
  static build(): FailingDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-failing-disk-'));
    const source = join(import.meta.dirname, 'failing-disk.c');
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', join(folder, 'failing-disk.so'), source, '-ldl'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      return new FailingDisk(folder);
    } catch (thrown) {
      rmSync(folder, { recursive: true });
      process.stderr.write(`skipped: a disk cannot be made to fail here: ${String(thrown)}\n`);
      return undefined;
    }
  }

  /** The `nth` such call from now on fails, of those on a file whose path has this part, or ends so when the part ends with "$". */
  fail(fault: DiskFault, pathPart: string, nth = 1): void {
    writeFileSync(this.#order, `${fault} ${pathPart} ${nth}\n`);
  }

  /** True once the call has failed. */
  get hasFailed(): boolean {
    return !existsSync(this.#order);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
