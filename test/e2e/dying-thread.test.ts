import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-dying-'));
const ill = join(folder, 'ill');
let product: ComposedProduct;

beforeAll(async () => {
  process.env['DYING_WHILE'] = ill;
  writeFileSync(ill, '');
  product = await composeProduct({
    threadEntry: pathToFileURL(join(import.meta.dirname, '../support/dying-thread.ts')),
  });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  delete process.env['DYING_WHILE'];
  rmSync(folder, { recursive: true });
});

/** Restarts of services, as the metrics page counts them. */
async function metric(name: string): Promise<number> {
  const page = await (await fetch(`${product.admin}/metrics`)).text();
  const values = page.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a thread that dies of a defect', () => {
  it('D2, D3: is started again, the process says that it is not ready, and nothing is lost or doubled', async () => {
    const shop = product.shop();
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 40 });
    const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 10 });
    const unready = new Set<string>();
    const look = async (): Promise<void> => {
      const ready = await fetch(`${product.admin}/health/ready`);
      if (ready.status === 503) unready.add(await ready.text());
    };
    // Until threads have died often enough, and not much longer: each further life begins after a longer pause.
    await eventually(
      async () => {
        await look();
        expect(taken(sender.events).length).toBeGreaterThan(400);
        expect(unready.size).toBeGreaterThan(0);
        expect(await metric('millrace_service_failures_total')).toBeGreaterThan(3);
      },
      { withinMs: 120_000 },
    );
    const events = await sender.stop();
    // What is left is as much as was sent meanwhile: on a slow machine more than there are lives in the time of a test.
    rmSync(ill);
    expect([...unready].join()).toMatch(/"\\"(map|stage)\\" failed and starts again: /);
    expect([...unready].join(), 'L2: a thread ends between two turns').not.toContain('in the middle of a turn');
    expect(taken(events)).toHaveLength(events.length);
    for (const { sinkId, tableId } of sinks) {
      await eventually(async () => expect(await shop.progress(sinkId)).toMatchObject({ delivered: true }), {
        withinMs: 120_000,
      });
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
  }, 420_000);
});
