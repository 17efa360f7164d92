import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error, as they came. */
  readonly printed: string;
}

export interface ReaderShellOptions {
  /** Where the reader stands. */
  readonly folder: string;
  /** Takes what the commands print. */
  readonly scratch: string;
  readonly env: NodeJS.ProcessEnv;
  /** Kills the shell and all that its commands left running. */
  readonly signal?: AbortSignal;
}

/** One bash that runs commands one after another and keeps its variables between them. */
export class ReaderShell implements AsyncDisposable {
  readonly #bash: ChildProcess;
  readonly #lines: Interface;
  readonly #output: string;
  readonly #exit: Promise<unknown>;

  constructor({ folder, scratch, env, signal }: ReaderShellOptions) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    this.#lines = createInterface({ input: this.#bash.stdout ?? process.stdin });
    this.#output = join(scratch, 'output');
    this.#exit = once(this.#bash, 'exit');
    signal?.addEventListener('abort', () => this.#endGroup(), { once: true });
  }

  /** Rejects when the shell ends meanwhile. */
  async run(command: string): Promise<CommandResult> {
    const line = once(this.#lines, 'line');
    this.#bash.stdin?.write(`{\n${command}\n} >'${this.#output}' 2>&1 </dev/null\necho "$?"\n`);
    const ended = this.#exit.then(() => {
      throw new Error(`the shell ended in: ${command}`);
    });
    const [code] = (await Promise.race([line, ended])) as [string];
    return { code: Number(code), printed: await readFile(this.#output, 'utf8') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bash.stdin?.end();
    await this.#exit;
    this.#endGroup();
  }

  /** What the commands left running is in the group of the shell. */
  #endGroup(): void {
    const { pid } = this.#bash;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing is left.
    }
  }
}
