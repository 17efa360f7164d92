import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '../support/built-entry.ts';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-hang-'));
const order = join(folder, 'order');
let product: ComposedProduct;

beforeAll(async () => {
  process.env['HANG_ORDER'] = order;
  product = await composeProduct({
    threadEntry: pathToFileURL(await builtEntry('hanging-thread')),
    pulseLimits: { silentMs: 4000, startMs: 120_000, stillMs: 6000 },
  });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  delete process.env['HANG_ORDER'];
  rmSync(folder, { recursive: true });
});

async function readiness(): Promise<string> {
  return (await fetch(`${product.admin}/health/ready`)).text();
}

describe.each([
  ['ingest', 'loop', 'sign of life'],
  ['map', 'loop', 'sign of life'],
  ['map', 'round', 'stood still'],
  ['stage', 'loop', 'sign of life'],
  ['stage', 'round', 'stood still'],
])('a thread %s whose %s hangs', (role, what, reason) => {
  it('D2, D3, L2: is replaced, the process is not ready meanwhile and says why, and nothing is lost or doubled', async () => {
    const shop = product.shop(`${role}-${what}`);
    const tableId = `in.c-shop.${role}-${what}`;
    await shop.create([{ sinkId: 'first', tableId }], { uploadCount: 40 });
    const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 10 });
    await eventually(async () => expect((await shop.progress('first')).totals.imported).toBeGreaterThan(50));
    writeFileSync(order, `${role} ${what}`);
    await eventually(() => expect(existsSync(order)).toBe(false));
    await eventually(async () => expect(await readiness()).toMatch(new RegExp(`\\\\"${role}\\\\" failed.*${reason}`)));
    const { imported } = (await shop.progress('first')).totals;
    await eventually(async () => expect(await readiness()).toContain('"ready"'));
    await eventually(async () => expect((await shop.progress('first')).totals.imported).toBeGreaterThan(imported + 50));
    const events = await sender.stop();
    // Those that a thread was taking when it was ended have no answer.
    const answered = role === 'ingest' ? events.filter(({ status }) => status !== undefined) : events;
    expect(taken(events)).toHaveLength(answered.length);
    await eventually(async () => expect(await shop.progress('first')).toMatchObject({ delivered: true }), {
      withinMs: 120_000,
    });
    const rows = await shop.numbersIn(tableId);
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('first'), rows.length);
    const page = await (await fetch(`${product.admin}/metrics`)).text();
    expect(page).toMatch(
      new RegExp(`millrace_service_failures_total\\{service="${role}",code="thread.silent"\\} [1-9]`),
    );
  });
});

describe.each(['map', 'stage'])('a service that fails inside the thread %s', (role) => {
  it('L1: is named by the readiness of the process, until it goes on', async () => {
    writeFileSync(order, `${role} failing`);
    await eventually(async () => expect(await readiness()).toMatch(new RegExp(`${role}.*a poll that fails`)));
    rmSync(order);
    await eventually(async () => expect(await readiness()).toContain('"ready"'));
  });
});
