import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, twice } from '../support/exactly-once.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import { runMillrace } from '../support/run-millrace.ts';
import type { Shop } from '../support/shop.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-backup-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
const table = (sinkId: string): string => `in.c-shop.${sinkId}`;

async function backup(installation: Installation, name: string): Promise<string> {
  const to = join(folder, name);
  const { code, stderr } = await runMillrace(['backup', to, '--data-dir', installation.folder], {
    env: installation.env,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return to;
}

async function restore(from: string, dataDir: string) {
  return runMillrace(['restore', from, '--data-dir', dataDir], { cwd: folder });
}

/** A process on what was restored. */
async function startOn(dataDir: string): Promise<Installation> {
  return Installation.start({ folder: dataDir, env: { MILLRACE_ROOT_TOKEN: rootToken } });
}

describe('a backup that is made under load', () => {
  it('D2, D3, D4: has all that was acknowledged before it, once, wherever it was, and goes on from there', async () => {
    await using installation = await Installation.start();
    const shop = installation.shop();
    // Slices and imports follow each other closely: each backup meets some of them half way.
    await shop.create(sinks, { uploadCount: 40, uploadInterval: '1s', importCount: 100 });
    const sender = startTimedSender({ url: await shop.url(), connections: 16, padBytes: 300 });
    const made: { readonly path: string; readonly before: readonly number[]; readonly upTo: number }[] = [];
    for (let round = 1; round <= (isLong ? 4 : 2); round += 1) {
      await eventually(() => expect(sender.events.length).toBeGreaterThan(round * 1500));
      const before = taken(sender.events).map(({ number }) => number);
      const path = await backup(installation, `backup-${round}`);
      made.push({ path, before, upTo: Math.max(...sender.events.map(({ number }) => number)) + 16 });
    }
    await sender.stop();
    await installation.stop('SIGTERM');

    for (const [round, { path, before, upTo }] of made.entries()) {
      const dataDir = join(folder, `restored-${round}`);
      expect(await restore(path, dataDir)).toMatchObject({ code: 0 });
      await using again = await startOn(dataDir);
      await expectDelivered(again.shop(), { before, upTo });
      expect((await fetch(await again.shop().url(), { method: 'POST', body: '{"n":-1}' })).status).toBe(200);
      await again.shop().flush('first');
      expect(await again.shop().numbersIn(table('first'))).toContain(-1);
      await again.stop('SIGTERM');
    }
  });
});

async function expectDelivered(
  shop: Shop,
  { before, upTo }: { readonly before: readonly number[]; readonly upTo: number },
): Promise<void> {
  for (const { sinkId, tableId } of sinks) {
    await shop.flush(sinkId);
    const numbers = await shop.numbersIn(tableId);
    const stored = new Set(numbers);
    expect(twice(numbers), 'D3: events that are there twice').toEqual([]);
    expect(
      before.filter((number) => !stored.has(number)),
      'D2: events that are lost',
    ).toEqual([]);
    expect(
      numbers.filter((number) => number > upTo),
      'events of after the backup',
    ).toEqual([]);
    expectConserved(await shop.progress(sinkId), numbers.length);
  }
}

describe('a backup', () => {
  async function withEvents(): Promise<Installation> {
    const installation = await Installation.start();
    const shop = installation.shop();
    await shop.create(sinks);
    await send(shop, 0, 200);
    for (const { sinkId } of sinks) await shop.flush(sinkId);
    return installation;
  }

  async function send(shop: Shop, first: number, count: number): Promise<void> {
    const body = Array.from({ length: count }, (_, at) => `{"n":${first + at}}`).join('\n');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    expect((await fetch(await shop.url(), { method: 'POST', body, headers })).status).toBe(200);
  }

  it('D9: is refused where it cannot be made, in words, and nothing is left of it', async () => {
    await using installation = await withEvents();
    const { api } = installation.shop();
    const start = (to: string) => api.request('POST', '/v1/backup', { to });
    expect(await start('relative')).toMatchObject({ status: 400, body: { error: 'stream.api.backupRefused' } });
    expect(await start(folder)).toMatchObject({ status: 400 });
    expect(await start(join(installation.folder, 'x'))).toMatchObject({ status: 400 });
    expect(await start(join(folder, 'no', 'such'))).toMatchObject({ status: 400 });
    expect((await api.request('GET', '/v1/backup')).status).toBe(404);
    const { token } = await api.call<{ token: string }>('POST', '/v2/storage/tokens', { role: 'admin' });
    const headers = { 'X-StorageApi-Token': token, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ to: join(folder, 'theirs') });
    const theirs = await fetch(`${installation.process.admin}/v1/backup`, { method: 'POST', headers, body });
    expect(theirs.status).toBe(403);
    expect(await readdir(folder)).toEqual([]);
  });

  it('D9: that is damaged anywhere, or is none, is not restored, and no data folder is left', async () => {
    await using installation = await withEvents();
    const path = await backup(installation, 'whole');
    const { files } = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8')) as {
      readonly files: readonly { readonly path: string; readonly bytes: number }[];
    };
    expect(files.map((file) => file.path)).toEqual(
      expect.arrayContaining(['tables.duckdb', 'catalog.dump', 'log/sinks.dump', 'log/sources.dump', 'format.json']),
    );
    const dataDir = join(folder, 'data');
    for (const file of ['backup.json', ...files.filter(({ bytes }) => bytes > 0).map((one) => one.path)]) {
      const damaged = join(folder, 'damaged');
      await cp(path, damaged, { recursive: true });
      const bytes = await readFile(join(damaged, file));
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      await writeFile(join(damaged, file), bytes);
      const { code, stderr } = await restore(damaged, dataDir);
      expect({ file, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged') as string });
      await rm(damaged, { recursive: true });
      expect(await readdir(folder)).toEqual(['whole']);
    }
    expect(await restore(join(folder, 'none'), dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no backup, or was not finished') as string,
    });
    expect(await restore(path, installation.folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty') as string,
    });
  });

  it('D10: that is not finished when the process is killed is no backup, and holds up nothing', async () => {
    await using installation = await withEvents();
    const to = join(folder, 'cut');
    expect((await installation.shop().api.request('POST', '/v1/backup', { to })).status).toBe(202);
    await installation.stop('SIGKILL');
    const isWhole = await readFile(join(to, 'backup.json')).then(
      () => true,
      () => false,
    );
    expect(await restore(to, join(folder, 'data'))).toMatchObject({ code: isWhole ? 0 : 1 });
    await installation.start();
    await send(installation.shop(), 200, 10);
    await expectDelivered(installation.shop(), { before: Array.from({ length: 210 }, (_, at) => at), upTo: 210 });
    expect((await readdir(join(installation.folder, 'local'))).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it('D3: whose tables are those of another moment stops its imports with an alarm, and doubles nothing', async () => {
    await using installation = await withEvents();
    const early = await backup(installation, 'early');
    await send(installation.shop(), 200, 100);
    for (const { sinkId } of sinks) await installation.shop().flush(sinkId);
    const late = await backup(installation, 'late');
    await installation.stop('SIGTERM');
    const dataDir = join(folder, 'mixed');
    await mixed(early, late);
    expect(await restore(early, dataDir)).toMatchObject({ code: 0 });
    await using again = await startOn(dataDir);
    const shop = again.shop();
    await send(shop, 1000, 10);
    await eventually(async () => {
      expect((await shop.progress('first')).errors).toMatchObject([{ role: 'import', code: 'table.ledgerMismatch' }]);
    });
    expect(twice(await shop.numbersIn(table('first')))).toEqual([]);
  });

  /** Puts the tables of `late` into `early`, as somebody may who restores stores one by one. */
  async function mixed(early: string, late: string): Promise<void> {
    const manifest = JSON.parse(await readFile(join(early, 'backup.json'), 'utf8')) as {
      files: { path: string; bytes: number; sha256: string }[];
    };
    manifest.files = manifest.files.filter(({ path }) => !path.startsWith('tables.duckdb'));
    for (const path of (await readdir(late)).filter((name) => name.startsWith('tables.duckdb'))) {
      const content = await readFile(join(late, path));
      await writeFile(join(early, path), content);
      manifest.files.push({ path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    }
    await writeFile(join(early, 'backup.json'), JSON.stringify(manifest));
  }
});
