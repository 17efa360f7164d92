import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { runMillrace } from '../support/run-millrace.ts';
import { numberColumns, triggers, type Shop } from '../support/shop.ts';

interface Settings {
  readonly settings: readonly { readonly key: string; readonly value: unknown; readonly inheritedFrom: string }[];
}

describe('start --quick', () => {
  let installation: Installation;
  let shop: Shop;

  beforeAll(async () => {
    installation = await Installation.start({ env: { MILLRACE_QUICK: 'true' } });
    shop = installation.shop();
    const sinks = ['quick', 'patient'].map((sinkId) => ({
      name: sinkId,
      sinkId,
      table: { tableId: `in.c-shop.${sinkId}`, mapping: { columns: numberColumns } },
    }));
    await shop.api.task('POST', '/v1/branches/default/sources', {
      type: 'http',
      name: 'Shop',
      sourceId: 'shop',
      sinks,
    });
    await shop.set(shop.sink('patient'), { uploadInterval: '30m' });
  });

  afterAll(() => installation[Symbol.asyncDispose]());

  const send = async (): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(await shop.url(), { method: 'POST', headers, body: '{"n":7}' })).status).toBe(200);
  };

  const intervals = async (sinkId: string): Promise<readonly unknown[]> => {
    const { settings } = await shop.api.call<Settings>('GET', `${shop.sink(sinkId)}/settings`);
    return [triggers.uploadInterval, triggers.importInterval].map((wanted) => {
      const { value, inheritedFrom } = settings.find(({ key }) => key === wanted) ?? {};
      return [value, inheritedFrom];
    });
  };

  it('an event is a row long before the usual triggers, and nobody has asked for a flush', async () => {
    expect(await intervals('quick')).toEqual([
      ['200ms', 'default'],
      ['200ms', 'default'],
    ]);
    await send();
    await eventually(async () => expect(await shop.numbersIn('in.c-shop.quick')).toEqual([7]));
  });

  it('a sink that sets its triggers keeps them', async () => {
    expect(await intervals('patient')).toEqual([
      ['30m0s', 'sink'],
      ['200ms', 'default'],
    ]);
    // Twice the way of a quick row: what is quick here would be staged by then.
    for (let turn = 0; turn < 2; turn += 1) {
      const before = (await shop.numbersIn('in.c-shop.quick')).length;
      await send();
      await eventually(async () => expect(await shop.numbersIn('in.c-shop.quick')).toHaveLength(before + 1));
    }
    const { staged, partitions } = await shop.progress('patient');
    expect([staged.slices, partitions[0]?.open]).toEqual([0, expect.anything()]);
    expect(await shop.numbersIn('in.c-shop.patient')).toEqual([]);
  });

  it('nothing of it is kept: a start without it has the usual triggers', async () => {
    await installation.stop();
    Object.assign(installation.env, { MILLRACE_QUICK: '' });
    await installation.start();
    shop = installation.shop();
    expect(await intervals('quick')).toEqual([
      ['30s', 'default'],
      ['1m0s', 'default'],
    ]);
    expect((await intervals('patient'))[0]).toEqual(['30m0s', 'sink']);
  });

  it('D9: a process of a cluster refuses it, because its processes would not agree', async () => {
    const secrets = { KAFKA_PASSWORD: 'x', SCHEMA_REGISTRY_PASSWORD: 'x', CATALOG_URL: 'mongodb://a/b' };
    const env = { ...secrets, TABLES_URL: 'postgres://a@b/c' };
    const topology = join(process.cwd(), 'topologies', 'cluster.yaml');
    const { code, stderr } = await runMillrace(['start', '--quick', '--topology', topology], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^millrace: --quick \(MILLRACE_QUICK\) is for a process that is all, and the topology ".*cluster\.yaml" is of a cluster/,
    );
  });
});
