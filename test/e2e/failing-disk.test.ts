import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { FailingDisk, type DiskFault } from '../support/failing-disk.ts';
import { Installation } from '../support/installation.ts';
import { startTimedSender, taken, type TimedSender } from '../support/timed-sender.ts';

const disk = FailingDisk.build();

/** Of a process whose storage failed; the guide and the specification name it. */
const brokenExitCode = '4';

const faults: readonly (readonly [DiskFault, string])[] = [
  ['write', 'log/sources'],
  ['sync', 'log/sources'],
  ['meta', 'log/sources'],
  ['meta', 'log/sinks'],
  ['sync', 'catalog'],
  ['meta', 'catalog'],
];

describe.skipIf(disk === undefined)('a file of the log or of the catalog that fails once', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  it.each(faults)(
    'D1, D2, D3: ends the process with its own exit code, and nothing acknowledged is lost: %s of %s',
    async (fault, part) => {
      await using installation = await Installation.start({ env: { ...disk?.env } });
      const shop = installation.shop();
      await shop.create([{ sinkId: 'first', tableId: 'in.c-shop.first' }], { uploadCount: 200, importCount: 1 });
      const sender = startTimedSender({ url: await shop.url(), connections: 6, pauseMs: 5 });
      await goesOn(sender);
      const { process } = installation;
      disk?.fail(fault, part);
      expect(await process.ended).toBe(brokenExitCode);
      expect(disk?.hasFailed).toBe(true);
      expect(process.stderr()).toMatch(/data\.broken/);
      await installation.start();
      await goesOn(sender);
      const events = await sender.stop();
      const refused = events.flatMap(({ status }) => (status === undefined || status === 200 ? [] : [status]));
      expect(refused.filter((status) => status !== 503)).toEqual([]);
      expect(refused.length > 0 || part !== 'log/sources', 'what waited for the log has an answer').toBe(true);
      await eventually(async () => expect((await shop.progress('first')).errors).toEqual([]));
      await shop.flush('first');
      const rows = await shop.numbersIn('in.c-shop.first');
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress('first'), rows.length);
    },
  );

  it.each(['tables.duckdb.wal$', 'tables.duckdb$'])(
    'D2, D3, L1: of the tables ends nothing: the process goes on, and nothing is lost or doubled: sync of %s',
    async (part) => {
      await using installation = await Installation.start({ env: { ...disk?.env } });
      const shop = installation.shop();
      await shop.create([{ sinkId: 'first', tableId: 'in.c-shop.first' }], { uploadCount: 200, importCount: 1 });
      const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 5 });
      await goesOn(sender);
      disk?.fail('sync', part);
      await goesOn(sender);
      const events = await sender.stop();
      await shop.flush('first');
      await installation.stop();
      expect(disk?.hasFailed).toBe(true);
      await installation.start();
      const rows = await shop.numbersIn('in.c-shop.first');
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress('first'), rows.length);
    },
  );
});

async function goesOn(sender: TimedSender): Promise<void> {
  const from = sender.events.length;
  await eventually(() => expect(taken(sender.events.slice(from)).length).toBeGreaterThan(100));
}
