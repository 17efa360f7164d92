import { afterAll, describe, expect, it } from 'vitest';
import { FailingDisk, type DiskFault } from '../support/failing-disk.ts';
import { Installation } from '../support/installation.ts';
import { ItemApi } from '../support/item-api.ts';
import { JobShop, jobShopEnv } from '../support/job-shop.ts';

const broken =
  /^The job was ended because its files on the disk of this process could not be read or written: (EIO|objects\.\w+)\. Nothing was loaded\.$/;

const disk = FailingDisk.build();

describe.skipIf(disk === undefined)('J13: a disk that fails while a job runs', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  /** A job in whose life one call on such a file fails, and how often its table has each item then. */
  async function jobWith(fault: DiskFault, part: string) {
    await using items = await ItemApi.open(20_000);
    await using product = await Installation.start({ env: { ...jobShopEnv, ...disk?.env } });
    const shop = new JobShop(product, items);
    await shop.configure();
    disk?.fail(fault, part);
    const job = await shop.ended(await shop.ask());
    expect(disk?.hasFailed).toBe(true);
    expect(job.attempt).toBe(1);
    const times = job.status === 'success' ? 1 : 0;
    await shop.holds(times);
    expect((await shop.ended(await shop.ask())).status).toBe('success');
    await shop.holds(times + 1);
    expect(await product.stop('SIGTERM')).toBe('0');
    return job;
  }

  it.each<[string, DiskFault, string]>([
    ['a write of what the API answered', 'write', '/jobs/'],
    ['a read of what the API answered', 'read', '/jobs/'],
    ['a write of the rows of its table', 'write', 'table-0.csv$'],
  ])('%s ends it in words, nothing is loaded, and the next one is well', async (_what, fault, part) => {
    const job = await jobWith(fault, part);
    expect(job).toMatchObject({ status: 'error', result: { error: { type: 'application' } } });
    expect(job.result.message).toMatch(broken);
  });

  it('a read of the rows of its table ends it in words, or they are read once more; the next one is well', async () => {
    const { status, result } = await jobWith('read', 'table-0.csv$');
    expect(status === 'success' || broken.test(result.message), result.message).toBe(true);
  });
});
