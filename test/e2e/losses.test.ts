import { cp, rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import type { ParkedSlice, SinkProgress } from '../../src/core/progress/sink-progress.ts';
import type { Ports } from '../../src/runtime/composition/ports.ts';
import { dataFolder } from '../../src/runtime/embedded/data-folder.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { follow, type DrillPlace } from '../support/drill.ts';
import { eventually } from '../support/eventually.ts';
import { identified } from '../support/identified.ts';
import { Installation } from '../support/installation.ts';
import { leftOut } from '../support/long-tests.ts';
import { panelsShow } from '../support/panels.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { RunbookShell } from '../support/runbook.ts';
import type { Shop } from '../support/shop.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);

const never = { signal: new AbortController().signal };
const day = 24 * 3_600_000;
const patient = { withinMs: 120_000, everyMs: 250 };
let installation: Installation;
let prometheus: Prometheus;

beforeAll(async () => {
  if (without !== undefined) return;
  installation = await Installation.start();
  const { host } = new URL(installation.process.admin);
  prometheus = await startPrometheus({ targets: [host], rules: await quickRules() });
});

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
});

async function valueOf(metric: string, sourceId: string): Promise<number | undefined> {
  return (await prometheus.query(`${metric}{source="${sourceId}"}`))[0]?.value;
}

async function send(shop: Shop, count: number): Promise<void> {
  const url = await shop.url();
  for (let n = 1; n <= count; n += 1)
    expect((await fetch(url, { method: 'POST', body: JSON.stringify({ n }) })).ok).toBe(true);
}

/** What somebody does to the stores of a process that was killed, before it is started again. */
async function whileDead(harm: (ports: Ports) => Promise<void>): Promise<void> {
  await installation.stop('SIGKILL');
  await using stack = new AsyncDisposableStack();
  const onBroken = (error: Error): never => {
    throw error;
  };
  await harm(
    await openEmbeddedPorts(dataFolder(installation.folder), { instance: 'test', first: false, onBroken }, stack),
  );
  await stack.disposeAsync();
  await installation.start();
}

async function changeProgress(
  { catalog }: Ports,
  incarnation: number,
  change: (progress: SinkProgress) => SinkProgress,
): Promise<void> {
  const id = progressId(parseIncarnation(incarnation));
  const found = await catalog.get('progress', id, never);
  const value = change(progressDocuments.parse(found?.value));
  const write = { collection: 'progress', id, expected: found?.revision, value } as const;
  expect((await catalog.compareAndSet(write, never)).kind).toBe('written');
}

/** Somebody who is called because of a sink of this source. */
async function onCallFor(source: string): Promise<DrillPlace & AsyncDisposable> {
  const shell = await RunbookShell.open({ dataDir: installation.folder, admin: installation.process.admin, source });
  return { prometheus, shell, [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose]() };
}

const waiting = { uploadCount: 10_000, uploadInterval: '30m' };

describe.skipIf(without !== undefined)('a loss on a running product, as a real Prometheus sees it', () => {
  it('D2: outcomes that a topic lost ring, and so do events that the source has lost, too, until they are acknowledged', async () => {
    const shop = installation.shop('torn');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-loss.torn' }], waiting);
    await send(shop, 20);
    await eventually(async () => expect(await valueOf('millrace_map_outcomes_total', 'torn')).toBe(20), patient);
    const { incarnation } = await shop.progress('orders');
    await using onCall = await onCallFor('torn');
    await follow('topic-torn', onCall, {
      fault: () =>
        whileDead(async ({ sourceLog, sinkLog }) => {
          const source = await identified(sourceLog, { topic: 'source.1.torn', partition: 0 });
          await sourceLog.trim(source, 10, never);
          const sink = await identified(sinkLog, { topic: `sink.1.torn.orders.${incarnation}`, partition: 0 });
          await sinkLog.trim(sink, 20, never);
        }),
      // The flush works at any time.
      tellsNothingBefore: true,
      mend: [{ says: 'what is missing is mapped again by itself', done: () => undefined }],
      seen: () => panelsShow(prometheus, 'millrace_stage_torn_topics_total'),
    });
    await follow('events-lost', onCall, {
      fault: () => undefined,
      shows: /10/,
      mend: [{ says: 'acknowledge the loss', typed: true }],
    });
    expect(await shop.numbersIn('in.c-loss.torn')).toHaveLength(10);
    expect((await shop.progress('orders')).totals).toMatchObject({ holes: 10, difference: 0 });
  });

  it('D6: slices that are set aside ring until they are back; those that are given up ring, too', async () => {
    const shop = installation.shop('aside');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-loss.gone' }], {
      ...waiting,
      importInterval: '30m',
      importCount: 10_000,
    });
    await using onCall = await onCallFor('aside');
    const columns = [
      { type: 'uuid', name: 'id' },
      { type: 'path', name: 'n', path: 'n' },
    ];
    /** Its slices were made for a table that is gone, and the sink has another one. */
    const setAside = async (): Promise<void> => {
      await shop.api.call('DELETE', '/v2/storage/tables/in.c-loss.gone?force=true');
      await send(shop, 7);
      // It does not come to its end: the table is gone.
      void shop.flush('orders').catch(() => undefined);
      const came = { table: { tableId: 'in.c-loss.came', mapping: { columns } } };
      await shop.api.task('PATCH', shop.sink('orders'), came);
    };
    await follow('slices-parked', onCall, {
      fault: setAside,
      seen: () => panelsShow(prometheus, 'millrace_sink_parked_events'),
      shows: /in\.c-loss\.gone/,
      mend: [
        {
          says: 'Make the table as it was',
          done: async () => {
            expect(await onCall.shell.run('npx millrace table create in.c-loss.gone id n')).toMatchObject({ code: 0 });
          },
        },
        { says: 'A change of the sink makes it come at once', typed: true },
      ],
    });
    expect(await shop.numbersIn('in.c-loss.gone')).toHaveLength(7);

    await shop.api.task('PATCH', shop.sink('orders'), { table: { tableId: 'in.c-loss.gone', mapping: { columns } } });
    const { incarnation } = await shop.progress('orders');
    let parked: number | undefined;
    await follow('events-given-up', onCall, {
      fault: async () => {
        await setAside();
        await eventually(async () => {
          parked = await valueOf('millrace_sink_parked_events', 'aside');
          expect(parked).toBeGreaterThan(0);
        }, patient);
        const long = (slice: ParkedSlice): ParkedSlice =>
          slice.failing === undefined
            ? slice
            : { ...slice, failing: { ...slice.failing, since: Date.now() - 8 * day, provenMs: 8 * day } };
        await whileDead((ports) =>
          changeProgress(ports, incarnation, (value) => ({ ...value, parked: value.parked.map(long) })),
        );
      },
      seen: () => panelsShow(prometheus, 'millrace_sink_given_up_events'),
      // Nothing more is in danger: what was is lost.
      tellsNothingBefore: true,
      mend: [
        {
          says: 'made with `--from earliest` on a table of its own has them again',
          done: async () => {
            expect(await valueOf('millrace_sink_given_up_events', 'aside')).toBe(parked);
            const again =
              'npx millrace sink create aside Again --table in.c-loss.again --from earliest --column id:uuid n:path:n';
            expect(await onCall.shell.run(again)).toMatchObject({ code: 0 });
            await shop.flush('again');
            expect(await shop.numbersIn('in.c-loss.again')).toHaveLength(14);
          },
        },
      ],
    });
  }, 400_000);

  it('D4: a sink whose witnesses disagree rings, until its installation is as it was at the moment of the last backup', async () => {
    const shop = installation.shop('counted');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-loss.counted' }]);
    await send(shop, 5);
    await shop.flush('orders');
    const { incarnation } = await shop.progress('orders');
    const copy = `${installation.folder}-copy`;
    const restored = `${installation.folder}-restored`;
    const broken = `${installation.folder}-broken`;
    await using onCall = await onCallFor('counted');
    expect(await onCall.shell.run(`npx millrace backup ${copy}`)).toMatchObject({ code: 0 });
    await follow('conservation-violated', onCall, {
      fault: () =>
        whileDead((ports) =>
          changeProgress(ports, incarnation, (value) => ({
            ...value,
            totals: Object.fromEntries(
              Object.entries(value.totals).map(([partition, totals]) => [
                partition,
                { ...totals, rows: totals.rows + 3 },
              ]),
            ),
          })),
        ),
      seen: () => panelsShow(prometheus, 'millrace_sink_witness_difference'),
      shows: /document/,
      mend: [
        { says: 'take copies of all three', done: () => cp(installation.folder, broken, { recursive: true }) },
        {
          says: 'npx millrace restore',
          done: async () => {
            await installation.stop('SIGTERM');
            expect(await onCall.shell.run(`npx millrace restore ${copy} --data-dir ${restored}`)).toMatchObject({
              code: 0,
            });
            await rm(installation.folder, { recursive: true });
            await rename(restored, installation.folder);
            await installation.start();
          },
        },
      ],
    });
    expect((await shop.progress('orders')).totals).toMatchObject({ imported: 5, difference: 0 });
    for (const path of [copy, broken]) await rm(path, { recursive: true });
  });

  it.skipIf(leftOut('what retention removes'))(
    'D2: what retention removes before every sink had it rings, and before that what it is about to remove',
    async () => {
      /** A source with events that its sink does not take before they are so old. */
      const keepFor = async (sourceId: string, maxAge: string): Promise<void> => {
        const shop = installation.shop(sourceId);
        await shop.create([{ sinkId: 'orders', tableId: `in.c-loss.${sourceId}` }], waiting);
        const settings = ['interval', 'maxAge'].map((name) => ({ key: `log.retention.${name}`, value: maxAge }));
        await shop.api.call('PATCH', `${shop.path}/settings`, { settings });
        await send(shop, 5);
      };
      await using ageing = await onCallFor('ageing');
      await follow('retention-half-used', ageing, {
        fault: () => keepFor('ageing', '3m'),
        seen: () => panelsShow(prometheus, 'millrace_sink_retention_used_ratio'),
        mend: [{ says: 'raise the retention', typed: true }],
      });
      await using onCall = await onCallFor('aged');
      await follow('retention-lost', onCall, {
        fault: () => keepFor('aged', '1m'),
        seen: () => panelsShow(prometheus, 'millrace_retention_lost_events_total'),
        // What was in danger is lost.
        tellsNothingBefore: true,
        mend: [{ says: 'Give the source more time', typed: true }],
      });
    },
    600_000,
  );
});
