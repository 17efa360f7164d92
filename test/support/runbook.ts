import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReaderShell, type CommandResult } from '../docs/reader-shell.ts';
import { builtEntry } from './built-entry.ts';
import { rootToken } from './installation.ts';

/** A page of `docs/runbooks`, taken apart. */
export interface Runbook {
  readonly alert: string;
  /** Scripts of its sections, in order. */
  readonly look: readonly string[];
  readonly mend: readonly string[];
  /** "Mend" as it is written. */
  readonly mendText: string;
  /** Shows that it is over: the last thing of the page. */
  readonly over: string;
}

/** Reads the page of that name; rejects when it has not the parts that each has. */
export async function readRunbook(name: string): Promise<Runbook> {
  const text = await readFile(new URL(`../../docs/runbooks/${name}.md`, import.meta.url), 'utf8');
  const parts = /^# (Millrace\w+)\n[\s\S]*\n## Look\n([\s\S]*)\n## Mend\n([\s\S]*)\n## It is over\n([\s\S]*)$/.exec(
    text,
  );
  const [, alert = '', look = '', mend = '', end = ''] = parts ?? [];
  const [over, ...more] = scriptsOf(end);
  if (over === undefined || more.length > 0 || !end.trimEnd().endsWith(`${over}\n\`\`\``))
    throw new Error(`docs/runbooks/${name}.md does not end with one command that shows that it is over`);
  return { alert, look: scriptsOf(look), mend: scriptsOf(mend), mendText: mend, over };
}

function scriptsOf(section: string): readonly string[] {
  return [...section.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, script = '']) => script);
}

export interface OnCall {
  readonly dataDir: string;
  /** Of the process that the pages call `http://127.0.0.1:8000`. */
  readonly admin: string;
  /** Of the sink of the alert, which the pages call `shop` and `orders`. */
  readonly source?: string;
  readonly sink?: string;
  /** More of the environment that the pages are read in. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The shell of somebody who follows a runbook. */
export class RunbookShell implements AsyncDisposable {
  readonly #shell: ReaderShell;
  readonly #scratch: string;
  readonly #onCall: OnCall;

  private constructor(shell: ReaderShell, scratch: string, onCall: OnCall) {
    this.#shell = shell;
    this.#scratch = scratch;
    this.#onCall = onCall;
  }

  static async open(onCall: OnCall): Promise<RunbookShell> {
    const scratch = await mkdtemp(join(tmpdir(), 'millrace-runbook-'));
    const folder = join(scratch, 'reader');
    await mkdir(folder);
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      MILLRACE_DATA_DIR: onCall.dataDir,
      MILLRACE_TOKEN: rootToken,
      ...onCall.env,
    };
    const shell = new RunbookShell(new ReaderShell({ folder, scratch, env }), scratch, onCall);
    await shell.#shell.run(`npx() { shift; '${process.execPath}' '${await builtEntry('main')}' "$@"; }`);
    return shell;
  }

  /** Runs a script as a whole: it fails with its first command that does. */
  run(script: string): Promise<CommandResult> {
    const { admin, source = 'shop', sink = 'orders' } = this.#onCall;
    const own = script
      .replaceAll('http://127.0.0.1:8000', admin)
      .replaceAll(/\bshop\b/g, source)
      .replaceAll(/\borders\b/g, sink);
    return this.#shell.run(`( set -e\n${own}\n)`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell[Symbol.asyncDispose]();
    await rm(this.#scratch, { recursive: true, force: true });
  }
}
