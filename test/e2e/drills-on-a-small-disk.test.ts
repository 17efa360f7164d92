import { statfs, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { follow } from '../support/drill.ts';
import { Installation } from '../support/installation.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { RunbookShell } from '../support/runbook.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';
import { startTimedSender } from '../support/timed-sender.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);
const disk = without === undefined ? TemporaryDisk.mount(256) : undefined;

describe.skipIf(disk === undefined)('the disk of a data folder, as a real Prometheus sees it', () => {
  const path = disk?.path ?? '';
  const ballast = join(path, 'ballast');
  let installation: Installation;
  let prometheus: Prometheus;
  let shell: RunbookShell;

  beforeAll(async () => {
    installation = await Installation.start({ folder: path });
    const { admin } = installation.process;
    prometheus = await startPrometheus({ targets: [new URL(admin).host], rules: await quickRules() });
    shell = await RunbookShell.open({ dataDir: path, admin });
    await installation.shop().create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
  });

  afterAll(async () => {
    await shell?.[Symbol.asyncDispose]();
    await prometheus?.[Symbol.asyncDispose]();
    await installation?.[Symbol.asyncDispose]();
    disk?.[Symbol.dispose]();
  });

  /** Takes space until so much of it is left. */
  async function leave(share: number): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(path);
    const bytes = Math.max(0, Math.floor(bavail * bsize - share * blocks * bsize));
    const block = Buffer.alloc(64 * 1024, 1);
    try {
      for (let written = 0; written < bytes; written += block.length) await writeFile(ballast, block, { flag: 'a' });
    } catch (thrown) {
      if (!String(thrown).includes('ENOSPC')) throw thrown;
    }
  }

  /** Takes some more of it a second, as long as it is asked to. */
  function growing(from: number): { stop: () => Promise<void> } {
    const stopping = new AbortController();
    const done = (async () => {
      for (let share = from; share > 0.02 && !stopping.signal.aborted; share -= 0.005) {
        await leave(share);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    })();
    return {
      stop: async () => {
        stopping.abort();
        await done;
      },
    };
  }

  it('rings for one that fills up, until there is more of it', async () => {
    await leave(0.17);
    const filling = growing(0.165);
    try {
      await follow(
        'disk-fills-up',
        { prometheus, shell },
        {
          fault: () => undefined,
          // More than a twentieth may be free yet.
          tellsNothingBefore: true,
          mend: [
            { says: 'Give the disk more', done: () => disk?.resize(512) },
            { says: 'keep events that every sink has had for less time', typed: true },
          ],
        },
      );
    } finally {
      await filling.stop();
    }
  });

  it('rings for one that is full, until somebody makes room', async () => {
    const shop = installation.shop();
    const sender = startTimedSender({ url: await shop.url(), connections: 1, pauseMs: 100 });
    try {
      await follow(
        'disk-full',
        { prometheus, shell },
        {
          fault: () => leave(0),
          shows: /^millrace_disk_free_bytes \d/m,
          mend: [
            { says: 'remove from it what is not of Millrace', done: () => rm(ballast) },
            { says: 'keep them for less time', typed: true },
          ],
        },
      );
    } finally {
      await sender.stop();
    }
  });
});
