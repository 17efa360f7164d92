import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryRun } from '../connect/delivery-run.ts';
import { openConnectedProduct, type ConnectedProduct } from '../connect/connected-product.ts';
import { startAnswerProxy } from '../support/answer-proxy.ts';
import { expectRunning, whyNoConnect } from '../support/connect.ts';
import { connectorConfiguration, connectorFiles } from '../support/connector-configuration.ts';
import { eventually } from '../support/eventually.ts';

const missing = await whyNoConnect();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

/** Texts without a line break that a careless sender would spoil. */
const awkward = [
  'plain text',
  '{"a":1}',
  '{ "kept" : 1.0e2,"as":"it" , "is":[ ] }',
  'příliš žluťoučký 你好 \u{1f600} \u2028',
  `"quotes" 'single' \`back\` \\ \\n %41 \${x} {{y}} <z> & +`,
  '  leading and trailing, and a tab\t',
  '{"breaks":"one\\ntwo\\r\\nthree"}',
  'null',
  'x'.repeat(20_000),
];
const withBreaks = ['one\ntwo', '\r\n', '{\n  "pretty": true\n}\n'];

/** What stands in the table for each record: what was sent, for a single; what the README says, for batches. */
const cases = [
  { file: 'clescot-single.json', sent: [...awkward, null, ...withBreaks, '', 'last'], dropped: [null] },
  { file: 'clescot-lines.json', sent: [...awkward, null, '', 'last'], dropped: [null, ''] },
  {
    file: 'clescot-array.json',
    sent: [...[...awkward, ...withBreaks, ''].map((text) => JSON.stringify(text)), null, ...awkward.slice(1, 3), '7'],
    dropped: [null],
  },
] as const;

describe.skipIf(missing !== undefined)('Kafka Connect as a sender', () => {
  let opened: ConnectedProduct;

  beforeAll(async () => {
    opened = await openConnectedProduct();
  });

  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  /** Starts a configuration on a topic of its own, and a table for what arrives from now on. */
  async function begin(name: string, configuration: Readonly<Record<string, string>>) {
    const { shop, topics, connect } = opened;
    const topic = `${name}-${process.pid}-${Date.now()}`;
    const tableId = `in.c-connect.${name}`;
    const columns = [
      { type: 'uuid', name: 'id' },
      { type: 'body', name: 'body' },
    ];
    await shop.createSink({ sinkId: name, tableId, columns });
    await topics.create(topic, 1);
    const configure = (changed: Readonly<Record<string, string>>): Promise<void> =>
      connect.start(topic, { ...changed, topics: topic });
    await configure(configuration);
    return {
      configure,
      append: (values: readonly (string | null)[]) => topics.append(topic, values),
      isRunning: async () => expectRunning(topic, await connect.status(topic)),
      /** Resolves when Connect has delivered and committed so many records. */
      delivered: (count: number): Promise<void> =>
        eventually(
          async () => {
            expectRunning(topic, await connect.status(topic));
            expect(await topics.committed(`connect-${topic}`, topic)).toBe(count);
          },
          { everyMs: 100 },
        ),
      /** Bodies of the table in the order of their arrival. */
      bodies: async (): Promise<readonly (string | undefined)[]> => {
        await shop.flush(name);
        const rows = (await shop.api.rows(tableId)).toSorted((a, b) => ((a['id'] ?? '') < (b['id'] ?? '') ? -1 : 1));
        return rows.map(({ body }) => body);
      },
      end: async (): Promise<void> => {
        await connect.remove(topic);
        await shop.api.task('DELETE', shop.sink(name));
      },
    };
  }

  it('every configuration that can run here is run', async () => {
    const files = (await connectorFiles()).filter((file) => file.startsWith('clescot'));
    expect(cases.map(({ file }) => file).toSorted()).toEqual(files);
  });

  it.each(cases)('$file: every record arrives byte for byte and in order', async ({ file, sent, dropped }) => {
    const run = await begin(file.replace(/\W/g, '-'), await connectorConfiguration(file));
    await run.append(sent);
    await run.delivered(sent.length);
    expect(await run.bodies()).toEqual(sent.filter((value) => !(dropped as readonly unknown[]).includes(value)));
    await run.end();
  });

  it('D2: what a source refuses is neither dropped nor does it end the task', async () => {
    const { shop } = opened;
    const run = await begin('refused', await connectorConfiguration('clescot-lines.json'));
    await shop.api.task('PUT', `${shop.path}/disable`);
    await run.append(['{"n":1}', '{"n":2}']);
    const refused = 'millrace_ingest_refused_total{reason="disabledSource"}';
    await eventually(async () => {
      const { text } = await shop.api.request('GET', '/metrics');
      const count = Number(
        text
          .split('\n')
          .find((line) => line.startsWith(refused))
          ?.slice(refused.length) ?? 0,
      );
      expect(count).toBeGreaterThanOrEqual(2);
    });
    await run.isRunning();
    await shop.api.task('PUT', `${shop.path}/enable`);
    await run.delivered(2);
    expect(await run.bodies()).toEqual(['{"n":1}', '{"n":2}']);
    await run.end();
  });

  it('what Connect repeats after a lost answer is counted as events of its own, and nothing is missing', async () => {
    const { secret } = opened;
    const url = new URL(await opened.shop.url());
    await using proxy = await startAnswerProxy(Number(url.port));
    const proxied = `http://127.0.0.1:${proxy.port}${url.pathname.replace(`/${secret}`, '')}`;
    const text = JSON.stringify(await connectorConfiguration('clescot-lines.json'));
    const configuration = JSON.parse(text.replace('${env:ORDERS_URL}', proxied)) as Record<string, string>;
    const run = await begin('repeated', configuration);
    const lost = proxy.loseAnswerTo('"n":2');
    await run.append(['{"n":1}', '{"n":2}']);
    await lost;
    await run.append(['{"n":3}']);
    await run.delivered(3);
    const bodies = await run.bodies();
    expect(new Set(bodies)).toEqual(new Set(['{"n":1}', '{"n":2}', '{"n":3}']));
    expect(bodies.filter((body) => body === '{"n":2}')).toHaveLength(2);
    expect(bodies.at(-1)).toBe('{"n":3}');
    await run.end();
  });

  it('a record as large as body.limit ends the task of the clescot connector, and arrives once the limit is higher', async () => {
    const configuration = await connectorConfiguration('clescot-lines.json');
    const run = await begin('large', { ...configuration, 'request.grouper.batch.body.limit': '1000' });
    await run.append(['first', 'x'.repeat(1000), 'last']);
    await eventually(() => expect(run.isRunning()).rejects.toThrow('StackOverflowError'), { everyMs: 100 });
    await run.configure(configuration);
    await run.delivered(3);
    expect(await run.bodies()).toEqual(['first', 'x'.repeat(1000), 'last']);
    await run.end();
  });

  it("the filter that keeps tombstones from Aiven's connector is one that Connect has", async () => {
    const filter = Object.entries(await connectorConfiguration('aiven-lines.json')).filter(([key]) =>
      /^(?:transforms|predicates)\b/.test(key),
    );
    expect(filter).not.toEqual([]);
    const configuration = { ...(await connectorConfiguration('clescot-lines.json')), ...Object.fromEntries(filter) };
    const run = await begin('filtered', configuration);
    await run.append(['{"n":1}', null, '{"n":2}']);
    await run.delivered(3);
    expect(await run.bodies()).toEqual(['{"n":1}', '{"n":2}']);
    await run.end();
  });

  it('the secret stands neither in the log of Connect nor in what its REST interface shows', async () => {
    const { secret, connect } = opened;
    expect(secret).toHaveLength(48);
    await connect.start('shown', { ...(await connectorConfiguration('clescot-single.json')), topics: 'none' });
    const shown = await (await fetch(`${connect.url}/connectors?expand=info&expand=status`)).text();
    expect(shown).toContain('ORDERS_SECRET');
    expect(shown).not.toContain(secret);
    expect((await connect.log()).split('\n').filter((line) => line.includes(secret))).toEqual([]);
    await connect.remove('shown');
  });

  it('D1, D2: every record arrives while the product is stopped and killed; what is repeated is counted', async () => {
    const {
      rows,
      missing: lost,
      repeats,
      progress,
    } = await deliveryRun(opened, {
      file: 'clescot-lines.json',
      records: 5000,
      stops: ['SIGTERM', 'SIGKILL'],
      awayMs: 1000,
      say: () => undefined,
    });
    expect(lost).toEqual([]);
    expect(rows).toBe(5000 + repeats);
    expect(progress.totals).toMatchObject({ accepted: rows, imported: rows, dead: 0, difference: 0 });
  });
});
