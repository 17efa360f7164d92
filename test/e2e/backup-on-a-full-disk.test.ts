import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { runMillrace } from '../support/run-millrace.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';

/** It takes the backup, and what is to stay free besides. */
const enoughMegabytes = 512;
const disk = TemporaryDisk.mount(enoughMegabytes);

interface Backup {
  readonly state: 'running' | 'done' | 'failed';
  readonly error?: string;
}

describe.skipIf(disk === undefined)('the disk of a backup that is full in the middle', () => {
  let installation: Installation;
  let scratch: string;

  beforeAll(async () => {
    installation = await Installation.start();
    scratch = await mkdtemp(join(tmpdir(), 'millrace-backup-'));
  });

  afterAll(async () => {
    await installation[Symbol.asyncDispose]();
    await rm(scratch, { recursive: true });
    disk?.[Symbol.dispose]();
  });

  it('D9, D10: fails it in words and leaves nothing of it; the process goes on, and the next one is whole', async () => {
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const send = async (n: number, pad = ''): Promise<void> => {
      const answer = await fetch(await shop.url(), { method: 'POST', body: JSON.stringify({ n, pad }) });
      expect(answer.status).toBe(200);
    };
    for (let n = 0; n < 20; n += 1) await send(n, 'x'.repeat(900_000));
    const to = join(disk?.path ?? '', 'copy');
    const { api } = shop;
    const ended = async (): Promise<Backup> => {
      const last = await api.call<Backup>('GET', '/v1/backup');
      if (last.state === 'running') throw new Error('the backup is not at its end');
      return last;
    };
    let last: Backup;
    do {
      // One that came to its end before there was no more room is none that this is about.
      await rm(to, { recursive: true, force: true });
      disk?.resize(enoughMegabytes);
      expect((await api.request('POST', '/v1/backup', { to })).status).toBe(202);
      try {
        disk?.resize(1);
      } catch {
        // More than that is written already.
      }
      last = await eventually(ended);
    } while (last.state === 'done');
    expect(last).toMatchObject({ state: 'failed', error: expect.stringMatching(/no space left on device/i) as string });
    expect(await readdir(disk?.path ?? '')).toEqual([]);
    const local = await readdir(join(installation.folder, 'local'));
    expect(local.filter((name) => name.startsWith('backup'))).toEqual([]);

    await send(20);
    await shop.flush('orders');
    expect(await shop.numbersIn('in.c-shop.orders')).toEqual(Array.from({ length: 21 }, (_, n) => n));

    const again = (): ReturnType<typeof runMillrace> =>
      runMillrace(['backup', to, '--data-dir', installation.folder], { env: installation.env });
    const refused = await again();
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/MB left, and the backup takes/) as string,
    });
    disk?.resize(enoughMegabytes);
    expect(await again()).toMatchObject({ code: 0 });
    expect(await runMillrace(['restore', to, '--data-dir', join(scratch, 'data')])).toMatchObject({ code: 0 });
  });
});
