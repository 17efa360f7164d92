import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Installation } from '../../support/installation.ts';

/** Data folders as older releases left them when they were killed; `make.ts` says what was done with them. */
const older = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.tar.gz'));

const headers = { 'content-type': 'application/json' };

/** Every tenth is a dead letter. */
const rowsUpTo = (last: number): readonly number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter((n) => n % 10 !== 0);

it.each(older)('U4: the data folder of an older release opens, and every event arrives once: %s', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-older-'));
  try {
    const { status } = spawnSync('tar', ['-xzf', join(import.meta.dirname, name), '-C', folder]);
    expect(status).toBe(0);
    await using installation = await Installation.start({ folder });
    const shop = installation.shop();
    const url = await shop.url();
    for (let n = 61; n <= 69; n += 1)
      expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ n }) })).status).toBe(200);
    await shop.api.task('PUT', `${shop.sink('gone')}/undelete`);
    await shop.api.task('PUT', `${shop.sink('disabled')}/enable`);
    for (const sinkId of ['imported', 'staged', 'local', 'disabled', 'gone']) await shop.flush(sinkId);
    for (const sinkId of ['imported', 'staged', 'local']) {
      expect(await shop.numbersIn(`in.c-shop.${sinkId}`), sinkId).toEqual(rowsUpTo(69));
      expect((await shop.progress(sinkId)).totals).toMatchObject({ accepted: 69, dead: 6, holes: 0, difference: 0 });
    }
    expect(await shop.numbersIn('in.c-shop.disabled')).toEqual(rowsUpTo(30));
    expect(await shop.numbersIn('in.c-shop.gone')).toEqual(rowsUpTo(40));
  } finally {
    await rm(folder, { recursive: true });
  }
});
