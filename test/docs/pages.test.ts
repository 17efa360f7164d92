/*
 * The commands of the README and of the guides are run as a reader would type them.
 *
 * Rules for pages:
 * - A block ```sh is one script that must succeed. A block ```console has commands after "$ ", continued after a backslash
 *   or on lines with "> ", each followed by what it prints. A command without shown output must succeed; one whose shown
 *   output begins with "millrace: " must fail. Blocks of other languages are not run.
 * - Shown output must be what is printed, line by line. `…` stands for any text, on a line of its own for any lines. Ids,
 *   times, secrets, signatures and versions of curl may differ; ids and secrets that a page shows are put into its later
 *   commands as they really are. Blanks of any number are alike, since columns are as wide as what stands in them.
 * - The page shows what a reader sees on standard ports, in a folder of their own: see `asShown`.
 * - The commands of `doneByTheTest` are not run: the test does for the reader what they do.
 * - bash, curl and jq must be there; without them the pages are skipped, with a printed reason.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { builtEntry } from '../support/built-entry.ts';
import { openCluster, whyNoCluster } from '../support/cluster.ts';
import { lastingPort } from '../support/free-port.ts';
import { rootToken } from '../support/installation.ts';
import { startProcess, type ProductProcess } from '../support/process.ts';
import { commandsOf, type PageCommand } from './page-blocks.ts';
import { ReaderShell } from './reader-shell.ts';
import { compareOutput } from './shown-output.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Its reader has servers. */
const clusterGuide = 'docs/guides/cluster.md';
const guides = (await readdir(join(root, 'docs/guides')))
  .map((file) => `docs/guides/${file}`)
  .filter((file) => file !== clusterGuide);

const doneByTheTest = [
  'npx millrace start --topology topologies/single-node.yaml',
  'npm ci && npm start',
  'npm ci && npm test',
  'npm start',
  'npm run demo',
];
const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
if (missing.length > 0)
  console.warn(`The commands of the documents are not run: ${missing.join(', ')} is not installed.`);

/** What the reader's shell has: the program instead of a download, and curl as silent as on a terminal. */
const preamble = `
npx() { shift; '${process.execPath}' '${await builtEntry('main')}' "$@"; }
curl() { command curl --silent --show-error "$@"; }
`;

it.skipIf(missing.length > 0).for(['README.md', ...guides])(
  '%s: its commands do what it shows',
  { timeout: 400_000 },
  async (file, { signal }) => {
    await follow({ file, signal }, async (folder) => ({ product: await startProduct(folder), env: {} }));
  },
);

const noCluster = missing.length > 0 ? `${missing.join(', ')} is not installed` : await whyNoCluster();
if (noCluster !== undefined) console.warn(`The commands of ${clusterGuide} are not run: ${noCluster}.`);

it.skipIf(noCluster !== undefined)(
  `${clusterGuide}: its commands do what it shows`,
  async ({ signal }) => {
    await using cluster = await openCluster();
    await follow({ file: clusterGuide, signal }, async (folder) => {
      await mkdir(join(folder, 'topologies'));
      const file = 'topologies/single-node.yaml';
      const { bucket, endpoint, credentials } = cluster.s3;
      const accessKeyId = credentials?.accessKeyId ?? '';
      const topology = (await readFile(join(root, file), 'utf8'))
        .replace('127.0.0.1:9092', cluster.brokers)
        .replace('http://127.0.0.1:9000', endpoint)
        .replace('bucket: millrace-staging', `bucket: ${bucket}\n  prefix: ${cluster.prefix}`);
      await writeFile(join(folder, file), topology);
      // No page of the guides sends over gRPC, whose usual port may be another's.
      const env = { MILLRACE_DATA_DIR: join(folder, 'data'), MILLRACE_OTLP_GRPC_PORT: '0' };
      const product = await cluster.start('admin,ingest,map,stage,import', env);
      const { CATALOG_URL = '', TABLES_URL = '', S3_SECRET = '' } = cluster.secrets;
      const real = [
        ['=millrace S3_SECRET_ACCESS_KEY=demonstration', `=${accessKeyId} S3_SECRET_ACCESS_KEY=${S3_SECRET}`],
        ['postgres://millrace:demonstration@127.0.0.1:5432/catalog', CATALOG_URL],
        ['postgres://millrace:demonstration@127.0.0.1:5432/tables', TABLES_URL],
        ['a-long-random-text-of-yours', rootToken],
        ['7001', String(await lastingPort())],
        ['8001', String(await lastingPort())],
        ['8002', String(await lastingPort())],
      ] as const;
      return { product, env, real };
    });
  },
  400_000,
);

interface Installed {
  readonly product: ProductProcess;
  /** What the reader has set. */
  readonly env: Readonly<Record<string, string>>;
  /** What a page shows, and what it is here. */
  readonly real?: readonly (readonly [shown: string, real: string])[];
}

interface Page {
  readonly file: string;
  /** Ends its commands: one that waits for what does not come would wait for ever. */
  readonly signal: AbortSignal;
}

/** Does what a page says, in a folder of its own, with what `install` has started there. */
async function follow({ file, signal }: Page, install: (folder: string) => Promise<Installed>): Promise<void> {
  const page = await readFile(join(root, file), 'utf8');
  const commands = commandsOf(page).filter(({ text }) => !doneByTheTest.includes(text));
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-docs-'));
  const folder = join(scratch, 'reader');
  await mkdir(folder);
  const { product, env, real = [] } = await install(folder);
  try {
    const problems = await problemsOf(commands, { product, folder, scratch, env, real, signal });
    expect(problems.map((problem) => `${file}:${problem}`).join('\n\n')).toBe('');
  } finally {
    product.kill('SIGTERM');
    await product.ended;
    await rm(scratch, { recursive: true });
  }
}

interface Reader {
  readonly product: ProductProcess;
  /** Where the reader stands. */
  readonly folder: string;
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly real: readonly (readonly [shown: string, real: string])[];
  readonly signal: AbortSignal;
}

async function problemsOf(commands: readonly PageCommand[], reader: Reader): Promise<readonly string[]> {
  const { folder, scratch, signal } = reader;
  const env = { PATH: process.env['PATH'], HOME: folder, ...reader.env };
  await using shell = new ReaderShell({ folder, scratch, env, signal });
  await shell.run(preamble);
  const learned = new Map<string, string>();
  const problems: string[] = [];
  for (const command of commands) {
    const { code, printed } = await shell.run(withReal(command.text, reader, learned));
    const problem = check(command, { code, printed: asShown(printed, reader) }, learned);
    if (problem !== undefined) problems.push(`${command.line}: ${command.text}\n${problem}`);
  }
  return problems;
}

async function startProduct(folder: string): Promise<ProductProcess> {
  const env = {
    MILLRACE_DATA_DIR: join(folder, 'data'),
    MILLRACE_ADMIN_PORT: '0',
    MILLRACE_INGEST_PORT: '0',
    MILLRACE_OTLP_GRPC_PORT: '0',
    // As the pages show it, whatever cores this machine has.
    MILLRACE_PARTITIONS: '1',
    // The guide of the extractor has an API on this machine.
    MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1',
  };
  return startProcess({ env });
}

function check(
  { shown }: PageCommand,
  { code, printed }: { readonly code: number; readonly printed: string },
  learned: Map<string, string>,
): string | undefined {
  const mustFail = shown[0]?.startsWith('millrace: ') ?? false;
  if ((code !== 0) !== mustFail) return `exit code ${code}\n${printed}`;
  if (shown.length === 0) return undefined;
  const { problem, learned: found } = compareOutput(shown, printed);
  for (const [text, real] of found) learned.set(text, real);
  return problem;
}

/** A command of the page with the real ports, ids and secrets. */
function withReal(text: string, { product, real: places }: Reader, learned: ReadonlyMap<string, string>): string {
  let real = text
    .replaceAll('http://127.0.0.1:8000', product.admin)
    .replaceAll('http://127.0.0.1:7000', product.ingest);
  for (const [shown, place] of places) real = real.replaceAll(shown, place);
  for (const [shown, found] of learned) real = real.replaceAll(shown, found);
  return real;
}

/** What was printed, as it would be on standard ports in the folder /home/ada/millrace. */
function asShown(printed: string, { product, folder }: Reader): string {
  return printed
    .replaceAll(new URL(product.admin).host, '127.0.0.1:8000')
    .replaceAll(new URL(product.ingest).host, '127.0.0.1:7000')
    .replaceAll(folder, '/home/ada/millrace');
}
