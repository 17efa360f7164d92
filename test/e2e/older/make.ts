/**
 * Makes a data folder as a release leaves it that was killed at work, for `older.test.ts` of later ones:
 * `node test/e2e/older/make.ts test/e2e/older/NAME.tar.gz`, on the commit whose folder it is to be.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { Installation } from '../../support/installation.ts';

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('Which file? node test/e2e/older/make.ts FILE.tar.gz');

const folder = await mkdtemp(join(tmpdir(), 'millrace-older-'));
const installation = await Installation.start({ folder });
const shop = installation.shop();
const table = (sinkId: string) => ({ sinkId, tableId: `in.c-shop.${sinkId}` });
const sinkIds = ['imported', 'staged', 'local', 'disabled', 'gone'] as const;
await shop.create(sinkIds.map(table));
// Each stands elsewhere on the way: in its table, in staging, in the log.
await shop.set(shop.sink('staged'), { uploadCount: 1, importCount: 1_000_000, importInterval: '24h' });
await shop.set(shop.sink('local'), { uploadCount: 1_000_000, uploadInterval: '30m' });
const url = await shop.url();

/** Every tenth is not JSON, and becomes a dead letter. */
async function send(from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) {
    const body = n % 10 === 0 ? `broken ${n}` : JSON.stringify({ n });
    const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (status !== 200) throw new Error(`event ${n}: ${status}`);
  }
}

async function reaches(
  sinkId: string,
  isThere: (numbers: { imported: number; dead: number; staged: number }) => boolean,
) {
  await eventually(async () => {
    const { totals } = await shop.progress(sinkId);
    if (!isThere(totals)) throw new Error(`${sinkId}: ${JSON.stringify(totals)}`);
  });
}

await send(1, 30);
await shop.api.task('PUT', `${shop.sink('disabled')}/disable`);
await send(31, 40);
await shop.api.task('DELETE', shop.sink('gone'));
await send(41, 60);
await reaches('imported', ({ imported, dead }) => imported + dead === 60);
await reaches('staged', ({ staged }) => staged === 60);
await reaches('disabled', ({ imported, dead }) => imported + dead === 30);
await installation.stop('SIGKILL');
const made = spawnSync('tar', ['--sparse', '-czf', resolve(name), '-C', folder, '.'], { stdio: 'inherit' });
await rm(folder, { recursive: true });
process.exitCode = made.status ?? 1;
