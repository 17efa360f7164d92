import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';
import { postNumber, startTimedSender } from '../support/timed-sender.ts';

const readOnly = TemporaryDisk.mount(256);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  readOnly?.[Symbol.dispose]();
});

/** Tries to start on a folder where that is refused. */
function startOn(dataDir: string): Promise<CommandRun> {
  return runMillrace(['start', '--admin-port', '0', '--ingest-port', '0'], {
    env: { MILLRACE_DATA_DIR: dataDir, MILLRACE_ROOT_TOKEN: 'e2e-root-token', MILLRACE_LOG_LEVEL: 'silent' },
  });
}

/** Every file below a folder with its size and the time of its last change. */
async function contentsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(path, { recursive: true });
  const described = entries.map(async (name) => {
    const { size, mtimeMs } = await stat(join(path, name));
    return [name, `${size} ${mtimeMs}`] as const;
  });
  return Object.fromEntries(await Promise.all(described));
}

describe('a data folder that cannot be used', () => {
  it('D3, D9: is refused while another process works on it, which goes on, as often as somebody tries', async () => {
    await using installation = await Installation.start();
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 2 });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, stdout, stderr } = await startOn(installation.folder);
      expect(code).not.toBe(0);
      expect(stdout).toBe('');
      expect(stderr).toContain(String(installation.process.child.pid));
      expect(stderr).toContain('Stop it, or choose another folder with --data-dir or MILLRACE_DATA_DIR.');
    }
    const events = await sender.stop();
    await shop.flush('orders');
    const rows = await shop.numbersIn('in.c-shop.orders');
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('orders'), rows.length);
  });

  it.each([
    ['a newer format', '{"format":999}\n', ['format 999', 'newer']],
    ['a half written format', '{"for', ['is damaged', '{"for']],
    ['an empty format', '', ['is damaged', 'format.json']],
    ['something else as its format', '{"format":"one"}', ['is damaged', 'format.json']],
  ])('D9: with %s: says so and changes nothing', async (name, text, sentences) => {
    const path = join(folder, name.replaceAll(' ', '-'));
    await mkdir(path);
    await writeFile(join(path, 'format.json'), text);
    const before = await contentsOf(path);
    const { code, stderr } = await startOn(path);
    expect(code).not.toBe(0);
    for (const sentence of sentences) expect(stderr).toContain(sentence);
    expect(await contentsOf(path)).toEqual(before);
    expect(await readFile(join(path, 'format.json'), 'utf8')).toBe(text);
  });

  it('D9: that is a file, or lies below one: says so', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'not a folder');
    for (const dataDir of [path, join(path, 'below')]) {
      const { code, stderr } = await startOn(dataDir);
      expect(code).not.toBe(0);
      expect(stderr).toContain(dataDir);
      expect(stderr).toMatch(/it is not a folder|ENOTDIR/);
    }
    expect(await readFile(path, 'utf8')).toBe('not a folder');
  });

  it.skipIf(readOnly === undefined)(
    'D9: that is read-only: says so, and works unharmed when it can be written',
    async () => {
      const path = join(readOnly?.path ?? '', 'data');
      await using installation = await Installation.start({ folder: path });
      const shop = installation.shop();
      await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
      const event = await postNumber({ url: await shop.url(), number: 1 });
      expect(await installation.stop('SIGTERM')).toBe('0');
      readOnly?.makeReadOnly();
      const before = await contentsOf(path);
      const { code, stderr } = await startOn(path);
      expect(code).not.toBe(0);
      expect(stderr).toContain(path);
      expect(stderr).toContain('read-only');
      expect(await contentsOf(path)).toEqual(before);
      readOnly?.makeWritable();
      await installation.start();
      await shop.flush('orders');
      expectExactlyOnce(await shop.numbersIn('in.c-shop.orders'), [event]);
    },
  );
});

describe('a data folder that lost its power', () => {
  it('L1, D2, D3: with a torn end of the log of the tables: the process starts, and says how many bytes it cut', async () => {
    await using installation = await Installation.start();
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const events = [await postNumber({ url: await shop.url(), number: 1 })];
    await shop.flush('orders');
    await installation.stop('SIGKILL');
    await appendFile(join(installation.folder, 'tables.duckdb.wal'), Buffer.alloc(600).fill('x', 512));
    await installation.start();
    const said = /tables\.duckdb\.wal","bytes":600,"msg":"torn end of a table log cut"/;
    await eventually(() => expect(installation.process.stderr()).toMatch(said));
    events.push(await postNumber({ url: await shop.url(), number: 2 }));
    await shop.flush('orders');
    expectExactlyOnce(await shop.numbersIn('in.c-shop.orders'), events);
  });
});
