import { describe, expect, it } from 'vitest';
import { follow } from '../support/drill.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { Installation } from '../support/installation.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';
import { leftOut } from '../support/long-tests.ts';
import { panelsShow } from '../support/panels.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { RunbookShell } from '../support/runbook.ts';
import type { Shop } from '../support/shop.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);

interface Hurried extends AsyncDisposable {
  readonly installation: Installation;
  readonly prometheus: Prometheus;
  readonly shell: RunbookShell;
}

/** A product on whose wall so many seconds pass in each one, and who is called for it. */
async function hurried(clock: FastClock): Promise<Hurried> {
  await using stack = new AsyncDisposableStack();
  const env = { ...clock.env, MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' };
  const installation = stack.use(await Installation.start({ env }));
  const { admin } = installation.process;
  const prometheus = stack.use(await startPrometheus({ targets: [new URL(admin).host], rules: await quickRules() }));
  const shell = stack.use(await RunbookShell.open({ dataDir: installation.folder, admin }));
  const held = stack.move();
  return { installation, prometheus, shell, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const patient = { withinMs: 120_000, everyMs: 250 };
const table = 'in.c-late.orders';

async function sendTo(shop: Shop): Promise<void> {
  expect((await fetch(await shop.url(), { method: 'POST', body: '{"n":1}' })).ok).toBe(true);
}

const components = '/v2/storage/components/generic-extractor/configs';

describe.skipIf(without !== undefined)('an alert that takes minutes or hours, where time passes faster', () => {
  it('rings for rows that come late, until the backlog is delivered', async ({ skip }) => {
    using clock = FastClock.build(20) ?? skip('no fast clock');
    await using place = await hurried(clock);
    const shop = place.installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: table }]);
    await sendTo(shop);
    await shop.flush('orders');
    /** Some events wait for longer than the target, because their table is away. */
    const late = async (round: string): Promise<void> => {
      await shop.api.call('DELETE', `/v2/storage/tables/${table}?force=true`);
      for (let n = 0; n < 5; n += 1) await sendTo(shop);
      await eventually(async () => {
        const [parked] = await place.prometheus.query('millrace_sink_parked_oldest_seconds');
        expect(parked?.value).toBeGreaterThan(150);
      }, patient);
      await place.shell.run(`npx millrace table create ${table} id n`);
      await shop.api.task('PATCH', shop.sink('orders'), { description: round });
      await eventually(async () => expect(await shop.progress('orders')).toMatchObject({ delivered: true }), patient);
    };
    // A rate is of what grows: with these there is something that can.
    await late('first');
    const drills = [
      ['freshness-burns-fast', 'only the backlog is delivered, wait'],
      ['freshness-burns', 'says what to do for each stage'],
    ] as const;
    for (const [name, says] of drills)
      await follow(name, place, {
        fault: () => late(name),
        shows: /in the table as of/,
        // The flush works as soon as the table is back.
        tellsNothingBefore: true,
        mend: [{ says, done: () => undefined }],
      });
  }, 400_000);

  it.skipIf(leftOut('a sink that lags'))(
    'rings for a sink that lags, until its table is back and nothing waits',
    async ({ skip }) => {
      // Lag is told by the clock that nobody can set: it takes its two minutes.
      using clock = FastClock.build(2) ?? skip('no fast clock');
      await using place = await hurried(clock);
      const shop = place.installation.shop();
      await shop.create([{ sinkId: 'orders', tableId: table }]);
      await follow('sink-lags', place, {
        fault: async () => {
          await shop.api.call('DELETE', `/v2/storage/tables/${table}?force=true`);
          await sendTo(shop);
        },
        shows: /not in the table yet/,
        // The flush fails while the sink is stopped, and says so.
        mend: [
          {
            says: 'If `why` says that it is stopped',
            done: async () => {
              await place.shell.run(`npx millrace table create ${table} id n`);
              await place.shell.run('npx millrace sink update shop orders --description "its table is back"');
            },
          },
        ],
      });
    },
    400_000,
  );

  it('rings for planned runs that were skipped, until the configuration has time enough', async ({ skip }) => {
    using clock = FastClock.build(20) ?? skip('no fast clock');
    await using api = await ItemApi.open(5);
    await using place = await hurried(clock);
    const { api: product } = place.installation.shop();
    const configuration = itemConfiguration(api.url);
    await product.call('POST', components, { configurationId: 'shop', name: 'Shop', configuration });
    const schedule = (cron: string): Promise<unknown> => product.call('PUT', `${components}/shop/schedule`, { cron });
    const gate = api.hold();
    await follow('scheduled-runs-missed', place, {
      fault: () => schedule('* * * * *'),
      shows: /shop/,
      // The job that is late runs: none waits.
      tellsNothingBefore: true,
      mend: [
        {
          says: 'Give it a longer rhythm',
          done: async () => {
            await schedule('0 0 1 1 *');
            gate.open();
            await panelsShow(
              place.prometheus,
              'millrace_jobs_total',
              'millrace_scheduled_runs_total',
              'millrace_job_duration_seconds',
            );
          },
        },
      ],
    });
  });

  it('rings for a job that waits for an hour, until the one before it is ended; and for the clock', async ({
    skip,
  }) => {
    using clock = FastClock.build(600) ?? skip('no fast clock');
    await using api = await ItemApi.open(5);
    await using place = await hurried(clock);
    const { api: product } = place.installation.shop();
    const configuration = itemConfiguration(api.url);
    await product.call('POST', components, { configurationId: 'shop', name: 'Shop', configuration });
    const gate = api.hold();
    const run = (): Promise<{ id: string }> =>
      product.call('POST', '/jobs', { component: 'generic-extractor', config: 'shop' });
    const { id } = await run();
    await gate.reached;
    await follow('jobs-wait', place, {
      fault: run,
      shows: /shop/,
      mend: [
        {
          says: '`npx millrace job kill ID` ends it',
          done: async () => {
            expect(await place.shell.run(`npx millrace job kill ${id}`)).toMatchObject({ code: 0 });
            gate.open();
          },
        },
      ],
    });
    await follow('clock-doubted', place, {
      fault: () => undefined,
      mend: [{ says: 'Watch the free space', typed: true }],
      endsLater: true,
    });
  });
});
