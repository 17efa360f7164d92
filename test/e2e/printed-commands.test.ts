import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AdminClient } from '../../src/cli/client.ts';
import { findProcess } from '../../src/cli/find-process.ts';
import { adviceText, firstSteps } from '../../src/cli/paste/next-step.ts';
import { PasteLines, type PasteLine } from '../../src/cli/paste/paste-lines.ts';
import { shellWord } from '../../src/cli/paste/shell-word.ts';
import { createProgram } from '../../src/cli/program.ts';
import { Transport } from '../../src/cli/transport.ts';
import { parseConfig, type Environment } from '../../src/config/config.ts';
import { builtEntry } from '../support/built-entry.ts';
import { Installation } from '../support/installation.ts';

let scratch: string;
/** With a blank and a quote in its name, so that every word must be quoted. */
let dataDir: string;
/** How the test starts the program; the shell of the person finds it by its name. */
let program: string;
let installation: Installation;
/** Nothing of Millrace is set in the shell of the person: what is printed must say it. */
let shell: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'millrace-printed-'));
  dataDir = join(scratch, "Ada's data");
  const bin = join(scratch, 'bin');
  await Promise.all([mkdir(dataDir), mkdir(bin)]);
  program = [process.execPath, await builtEntry('main')].map(shellWord).join(' ');
  await writeFile(join(bin, 'millrace'), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  shell = { cwd: scratch, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } };
  installation = await Installation.start({ folder: dataDir, env: { MILLRACE_ROOT_TOKEN: '' } });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});

const config = (overrides: Environment = {}) => parseConfig({ MILLRACE_DATA_DIR: dataDir, ...overrides }, scratch);
const { signal } = new AbortController();
const lines = () => new PasteLines({ program: 'millrace', dataDir });

/** What a person sees of a command, on both outputs. */
function shown(...args: readonly string[]): Promise<string> {
  return shownUntil(signal, args);
}

async function shownUntil(leaves: AbortSignal, args: readonly string[]): Promise<string> {
  const output = new PassThrough();
  const channels = { stdin: new PassThrough(), stdout: output, stderr: output };
  const terminal = { ...channels, human: true, interactive: false, columns: 120 };
  const ownWork = async (): Promise<never> => expect.unreachable();
  const product = {
    version: '1.2.3',
    start: ownWork,
    claimStores: ownWork,
    restore: ownWork,
    migrate: () => Promise.reject(new Error('not asked for')),
    examineCluster: ownWork,
    openSourceTopic: ownWork,
    extract: () => Promise.reject(new Error('not asked')),
    tryExtraction: () => Promise.reject(new Error('not asked')),
  };
  const context = { terminal, signal: leaves, product, program: 'millrace', config };
  const run = createProgram(context).parseAsync(args, { from: 'user' });
  await (leaves === signal ? run : run.catch(() => undefined));
  output.end();
  return text(output);
}

/** What a person sees who follows a job that nobody runs before its time, and leaves. */
async function leftJob(): Promise<{ readonly id: string; readonly shown: string }> {
  const { jobs } = new AdminClient(new Transport(await findProcess(config()), signal));
  const { id } = await jobs.create({ component: 'generic-extractor', configData: { parameters: {} }, delay: 3600 });
  return { id, shown: await shownUntil(AbortSignal.timeout(5000), ['job', 'log', id, '--follow']) };
}

/** Why a command was refused. */
async function refusal(...args: readonly string[]): Promise<string> {
  const refused: unknown = await shown(...args).catch((thrown: unknown) => thrown);
  return refused instanceof Error ? refused.message : expect.unreachable();
}

async function startPage(): Promise<string> {
  const client = new AdminClient(new Transport(await findProcess(config()), signal));
  return `${adviceText(await firstSteps(client, lines()))}\n`;
}

/** What the shell of a person prints of a line that is pasted into it. */
function paste(line: PasteLine): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { ...shell, encoding: 'utf8' });
  expect({ line, status, stderr }).toMatchObject({ line, status: 0 });
  return stdout;
}

/** Starts what a line starts, asks it to leave when it is ready, and answers its exit code. */
async function pasteAndLeave(line: PasteLine): Promise<number | null> {
  const env = { ...shell.env, MILLRACE_ADMIN_PORT: '0', MILLRACE_INGEST_PORT: '0', MILLRACE_OTLP_GRPC_PORT: '0' };
  const child = spawn('sh', ['-c', `exec ${line}`], { ...shell, env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

interface Printed {
  /** What shows it to a person. */
  readonly on: () => Promise<string>;
  readonly line: () => PasteLine;
  /** Default: it is pasted and must succeed. */
  readonly use?: (line: PasteLine) => unknown;
}

const wide = ['c:path:customer.name', 'i:text:items[0]', `q:path:["it's"]`, 't:template:Body("n") * 2'];
const bare = '{"hello":"world"}';
const own = '{"customer":{"name":1},"items":[1],"it\'s":1,"n":1}';

/** Each line that may be printed, in the order in which a person meets them: one makes what the next one needs. */
const printed: { readonly [Line in keyof PasteLines]: Printed } = {
  start: {
    on: async () =>
      spawnSync('sh', ['-c', `millrace progress --data-dir other`], { ...shell, encoding: 'utf8' }).stderr,
    line: () => new PasteLines({ program, dataDir: join(scratch, 'other') }).start(),
    use: async (line) => expect(await pasteAndLeave(line)).toBe(0),
  },
  createSource: { on: startPage, line: () => lines().createSource('Shop') },
  createSink: {
    on: () => shown('table', 'list'),
    line: () => lines().createSink('shop', 'in.c-shop.events'),
  },
  sendEvent: {
    on: () => shown('sink', 'create', 'shop', 'Wide', '--table', 'in.c-shop.wide', '--column', ...wide),
    line: () => lines().sendEvent('shop', own),
  },
  flush: {
    on: () => shown('sink', 'create', 'shop', 'Second', '--table', 'in.c-shop.second'),
    line: () => lines().flush('shop'),
  },
  showTable: {
    on: () => shown('sink', 'create', 'shop', 'Third', '--table', 'in.c-shop.wide', '--column', ...wide),
    line: () => lines().showTable('in.c-shop.wide'),
    use: (line) => expect(paste(line)).toMatch(/^1 +1 +1 +2$/m),
  },
  progress: { on: startPage, line: () => lines().progress() },
  deadLetters: {
    on: async () => {
      await shown('sink', 'create', 'shop', 'Strict', '--table', 'in.c-shop.strict', '--column', 'n:path:absent');
      paste(lines().sendEvent('shop', bare));
      const flushed = await shown('flush', 'shop');
      expect(await shown('progress')).toContain(lines().deadLetters('shop'));
      expect(await startPage()).toContain(`${lines().deadLetters()}\n`);
      return flushed;
    },
    line: () => lines().deadLetters('shop'),
    use: (line) => expect(paste(line)).toMatch(/^shop\/strict +\S+Z +pathNotFound +n +.*\{"hello":"world"\}$/m),
  },
  showSource: {
    on: () => shown('sink', 'create', 'shop', 'None', '--table', 'in.c-shop.none', '--column', 't:template:error "no"'),
    line: () => lines().showSource('shop'),
  },
  settings: {
    on: async () => {
      expect(await refusal('source', 'settings', 'set', 'shop', 'ingest.bach=off')).toContain(
        `"${lines().settings({ branch: 'default', sourceId: 'shop' })}"`,
      );
      return refusal('sink', 'settings', 'set', 'shop', 'third', 'nothing=1');
    },
    line: () => lines().settings({ branch: 'default', sourceId: 'shop', sinkId: 'third' }),
  },
  killJob: { on: async () => (await leftJob()).shown, line: () => lines().killJob('1') },
  followJob: { on: async () => (await leftJob()).shown, line: () => lines().followJob('2'), use: () => undefined },
};

it('each command that is printed for a person to type next does its work when it is pasted', async () => {
  const empty = await startPage();
  for (const line of [lines().createSink('shop', 'in.c-shop.events'), lines().sendEvent('shop', bare)])
    expect(empty).toContain(`  ${line}\n`);
  for (const { on, line, use = paste } of Object.values(printed)) {
    expect(await on()).toContain(line());
    await use(line());
  }
  const gone = await shown('sink', 'delete', 'shop', 'wide');
  expect(gone).toContain('The table in.c-shop.wide stays, and so do dead letters.\n');
  for (const line of [lines().showTable('in.c-shop.wide'), lines().deadLetters('shop')]) {
    expect(gone).toContain(`  ${line}\n`);
    paste(line);
  }
});
