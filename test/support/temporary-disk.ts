import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk of its own in memory, which can be made larger or read-only while it is in use. */
export class TemporaryDisk implements Disposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Undefined, with the reason on standard error, where this process may not mount. */
  static mount(megabytes: number): TemporaryDisk | undefined {
    const path = mkdtempSync(join(tmpdir(), 'millrace-disk-'));
    try {
      run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path);
      return new TemporaryDisk(path);
    } catch (thrown) {
      rmdirSync(path);
      process.stderr.write(`skipped: no disk of its own can be mounted here: ${String(thrown)}\n`);
      return undefined;
    }
  }

  resize(megabytes: number): void {
    run('mount', '-o', `remount,size=${megabytes}m`, this.path);
  }

  makeReadOnly(): void {
    run('mount', '-o', 'remount,ro', this.path);
  }

  makeWritable(): void {
    run('mount', '-o', 'remount,rw', this.path);
  }

  [Symbol.dispose](): void {
    // Lazy: a process that was killed a moment ago may still hold a file.
    run('umount', '-l', this.path);
    rmdirSync(this.path);
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
