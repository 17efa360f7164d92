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

/** One bash that runs commands one after another and keeps its variables between them. */
export class ReaderShell implements AsyncDisposable {
  readonly #bash: ChildProcess;
  readonly #lines: Interface;
  readonly #output: string;

  /** `folder` is where the reader stands; `scratch` takes what the commands print. */
  constructor(options: { readonly folder: string; readonly scratch: string; readonly env: NodeJS.ProcessEnv }) {
    const { folder, scratch, env } = options;
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    this.#lines = createInterface({ input: this.#bash.stdout ?? process.stdin });
    this.#output = join(scratch, 'output');
  }

  async run(command: string): Promise<CommandResult> {
    const line = once(this.#lines, 'line');
    this.#bash.stdin?.write(`{\n${command}\n} >'${this.#output}' 2>&1 </dev/null\necho "$?"\n`);
    const [code] = (await line) as [string];
    return { code: Number(code), printed: await readFile(this.#output, 'utf8') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#bash, 'exit');
    this.#bash.stdin?.end();
    await exit;
    this.#endBackground();
  }

  /** What the commands left running is in the group of the shell. */
  #endBackground(): void {
    const { pid } = this.#bash;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing is left.
    }
  }
}
