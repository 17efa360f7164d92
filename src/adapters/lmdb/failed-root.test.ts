import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FailingDisk } from '../../../test/support/failing-disk.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { openLmdbEventLog } from './event-log.ts';

const disk = process.platform === 'linux' ? FailingDisk.build() : undefined;
const waiting = { signal: new AbortController().signal };
const at = { topic: 'orders', partition: 0 };

afterAll(() => disk?.[Symbol.dispose]());

/** Appends a record, and one more whose transaction is in the system's cache, but not known to be on the disk, when the process ends. */
function appendUntilTheRootFails(path: string): void {
  const text = `
    import { writeFileSync } from 'node:fs';
    import { openLmdbEventLog } from ${JSON.stringify(join(import.meta.dirname, 'event-log.ts'))};
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../runtime/system-clock.ts'))};
    const waiting = { signal: new AbortController().signal };
    const log = await openLmdbEventLog({ path: ${JSON.stringify(path)}, instance: 'main', first: true, clock: systemClock });
    await log.createTopic({ name: 'orders', partitions: 1 }, waiting);
    const append = () => log.append(${JSON.stringify(at)}, [{ value: Buffer.from('x'), headers: [], timestamp: 1 }], waiting);
    await append();
    writeFileSync(process.env.FAILING_DISK, 'meta data.mdb$ 1');
    await append().then(() => process.exit(9), () => process.exit(4));`;
  const argv = ['--input-type=module', '-e', text];
  expect(() => execFileSync(process.execPath, argv, { env: { ...process.env, ...disk?.env } })).toThrow(
    expect.objectContaining({ status: 4 }),
  );
  expect(disk?.hasFailed).toBe(true);
}

it.skipIf(disk === undefined)(
  'L1: a transaction whose end could not be synced is not shown by the next start, though the cache of the system has it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-failed-root-'));
    appendUntilTheRootFails(folder);
    {
      await using log = await openLmdbEventLog({ path: folder, instance: 'main', first: true, clock: systemClock });
      expect(await log.range(at, waiting)).toMatchObject({ durableEnd: 1, acknowledged: 1 });
      expect(await log.append(at, [{ value: Buffer.from('y'), headers: [], timestamp: 1 }], waiting)).toBe(1);
      expect((await log.lastRecord(at, waiting))?.value).toEqual(Buffer.from('y'));
    }
    rmSync(folder, { recursive: true });
  },
);
