import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Installation } from '../support/installation.ts';
import { ItemApi } from '../support/item-api.ts';
import { JobShop, jobShopEnv } from '../support/job-shop.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';

const full = 'The job was ended because the disk of this process is full. Nothing was loaded.';
const disk = TemporaryDisk.mount(640);
const path = disk?.path ?? '';
const ballast = join(path, 'ballast');

describe.skipIf(disk === undefined)('J13: a disk that somebody fills while a job runs', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  it('ends it in words, nothing is loaded, and with room the next one is well', async () => {
    await using items = await ItemApi.open(20_000);
    await using product = await Installation.start({ folder: path, env: jobShopEnv });
    const shop = new JobShop(product, items);
    await shop.configure();
    const gate = items.hold(19_000);
    const id = await shop.ask();
    await gate.reached;
    fill();
    gate.open();
    const job = await shop.ended(id);
    expect(job).toMatchObject({ status: 'error', result: { message: full, error: { type: 'application' } } });
    await shop.holds(0);
    // Without the room that it keeps to others a job does not begin to write.
    expect((await shop.ended(await shop.ask())).result.message).toBe(full);
    rmSync(ballast);
    expect((await shop.ended(await shop.ask())).status).toBe('success');
    await shop.holds(1);
    expect(await product.stop('SIGTERM')).toBe('0');
  });
});

/** To the last byte. */
function fill(): void {
  const { bavail, bsize } = statfsSync(path);
  const chunk = Buffer.alloc(1024 ** 2, 1);
  try {
    for (let left = bavail * bsize; left >= 0; left -= chunk.length) writeFileSync(ballast, chunk, { flag: 'a' });
  } catch (thrown) {
    if (!String(thrown).includes('ENOSPC')) throw thrown;
  }
}
