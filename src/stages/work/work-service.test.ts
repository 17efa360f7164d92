import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { ItemApi, itemConfiguration } from '../../../test/support/item-api.ts';
import { msOf, oneInTime } from '../../../test/support/one-in-time.ts';
import { numbers, WorkHarness } from '../../../test/support/work-harness.ts';
import { JobDisk } from './job-disk.ts';

let api: ItemApi;
let harness: WorkHarness;

beforeEach(async () => {
  [api, harness] = await Promise.all([ItemApi.open(25), WorkHarness.open()]);
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

const shop = 'in.c-shop.items';

describe('a job', () => {
  test('comes from its document to rows in a table, with a log, a result and a state', async () => {
    await harness.configure('shop', itemConfiguration(api.url));
    await harness.work();
    const jobId = await harness.ask({ configurationId: 'shop' });
    const job = await harness.ended(jobId);
    expect(job).toMatchObject({
      status: 'success',
      run: { attempt: 1 },
      result: {
        message: 'Component processing finished.',
        configurationVersion: 1,
        tables: [{ tableId: shop, columns: ['id', 'name'], rows: 25 }],
      },
    });
    expect(await harness.cells(shop)).toEqual(numbers(25));
    expect(await harness.lines(jobId)).toEqual([
      `info: Running job "${jobId}".`,
      'info: Running component generic-extractor (1 of 1)',
      'info: Offset limit reached, stopping scrolling.',
      'info: The last page held 5 items, the limit is 10.',
      'info: Extractor finished successfully.',
      `info: Loading table "${shop}"`,
      `success: Job "${jobId}" execution finished.`,
    ]);
    expect((await harness.configuration('shop'))?.state).toMatch(/^\{"time":\{"previousStart":\d+\}\}$/);
    await eventually(async () => expect(await harness.files()).toEqual([]));
    await eventually(() =>
      expect(harness.endings).toEqual([expect.objectContaining({ jobId, status: 'success', tables: 1, rows: 25 })]),
    );
  });

  test('without a destination goes into the bucket of its component and configuration', async () => {
    await harness.configure('shop', itemConfiguration(api.url, { outputBucket: '' }));
    await harness.work();
    await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect(await harness.cells('in.c-generic-extractor-shop.items')).toEqual(numbers(25));
    const configurationData = JSON.stringify(itemConfiguration(api.url, { outputBucket: '' }));
    const nameless = await harness.ended(await harness.ask({ configurationData }));
    expect(nameless.result).toMatchObject({
      message: 'Configuration ID not set, but is required for default_bucket option.',
      error: { type: 'user' },
    });
  });

  test('runs once for each row that is not disabled, and loads the tables of all of them together', async () => {
    const job = (endpoint: string): object => ({ parameters: { config: { jobs: [{ endpoint }] } } });
    await harness.configure('shop', itemConfiguration(api.url), {
      rows: [
        { rowId: 'a', configuration: job('orders') },
        { rowId: 'b', configuration: job('users'), isDisabled: true },
        { rowId: 'c', configuration: job('items') },
      ],
    });
    await harness.work();
    const first = await harness.ask({ configurationId: 'shop' });
    expect((await harness.ended(first)).result.tables.map(({ tableId }) => tableId)).toEqual([
      'in.c-shop.orders',
      shop,
    ]);
    expect(await harness.lines(first)).toContain('info: Skipping disabled configuration: shop, version: 1, row: b');
    const forced = await harness.ended(await harness.ask({ configurationId: 'shop', rowIds: ['b'], mode: 'forceRun' }));
    expect(forced.result.tables.map(({ tableId }) => tableId)).toEqual(['in.c-shop.users']);
    const none = await harness.ended(await harness.ask({ configurationId: 'shop', rowIds: ['b'] }));
    expect(none).toMatchObject({ status: 'success', result: { message: 'No configurations executed.', tables: [] } });
    const unknown = await harness.ended(await harness.ask({ configurationId: 'shop', rowIds: ['x', 'y'] }));
    expect(unknown).toMatchObject({ status: 'error', result: { message: 'None of rows "x, y" was found.' } });
    const rows = (await harness.configuration('shop'))?.rows.map(({ state }) => state.includes('previousStart'));
    expect(rows).toEqual([true, true, true]);
  });

  test('D8: with rows that hold more than there may be, together, ends in words', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => ({ rowId: `r${at}`, configuration: {} }));
    await harness.configure('shop', itemConfiguration(api.url, { long: 'x'.repeat(3_900_000) }), { rows });
    await harness.work();
    const job = await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect(job).toMatchObject({
      status: 'error',
      result: {
        message:
          'The runs of the job have more than 67108864 characters of configuration together; run fewer rows in one job.',
        error: { type: 'user' },
      },
    });
    const few = await harness.ended(await harness.ask({ configurationId: 'shop', rowIds: ['r1'] }));
    expect(few.status).toBe('success');
  });

  test('takes the values of its variables, and says which', async () => {
    await harness.configure('names', { variables: [{ name: 'bucket', type: 'string' }] }, { componentId: 'variables' });
    const configuration = { ...itemConfiguration(api.url, { outputBucket: '{{ bucket }}' }), variables_id: 'names' };
    await harness.configure('shop', configuration);
    await harness.work();
    const jobId = await harness.ask({ configurationId: 'shop', variableValues: [{ name: 'bucket', value: 'mine' }] });
    expect((await harness.ended(jobId)).result).toMatchObject({
      tables: [{ tableId: 'in.c-mine.items' }],
      variables: [{ name: 'bucket', value: 'mine' }],
    });
    expect(await harness.lines(jobId)).toContain('info: Replaced values for variables: bucket');
    const without = await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect(without).toMatchObject({
      status: 'error',
      result: { message: 'No variable values provided for variables configuration "names".' },
    });
  });

  test('J11: hides what only its run can know to be secret', async () => {
    const names = { variables: ['what', 'word'].map((name) => ({ name, type: 'string' })) };
    await harness.configure('names', names, { componentId: 'variables' });
    const configuration = itemConfiguration(api.url, { jobs: [{ endpoint: '{{what}}', params: { key: '{{word}}' } }] });
    await harness.configure('shop', {
      ...configuration,
      variables_id: 'names',
      authorization: { '#token': '{{word}}' },
    });
    await harness.work();
    for (const status of ['success', 'error']) {
      api.status = status === 'success' ? 200 : 404;
      const variableValues = [
        { name: 'what', value: 'items' },
        { name: 'word', value: 'open-sesame' },
      ];
      const job = await harness.ended(await harness.ask({ configurationId: 'shop', variableValues }));
      expect(job.status).toBe(status);
      expect(job.request.variableValues).toEqual([
        { name: 'what', value: 'items' },
        { name: 'word', value: '', isSecret: true },
      ]);
      const shown = JSON.stringify([job, await harness.lines(job.jobId)]);
      expect(shown).not.toContain('sesame');
      expect(job.result.variables).toEqual(
        status === 'success'
          ? [
              { name: 'what', value: 'items' },
              { name: 'word', value: '[hidden]' },
            ]
          : [],
      );
    }
    expect(api.seen[0]).toContain('key=open-sesame');
  });

  test('ends in an error in words, loads nothing, and shows no secret', async () => {
    api.status = 404;
    const configuration = itemConfiguration(api.url, {
      jobs: [{ endpoint: 'items', params: { key: 'a secret/word' } }],
    });
    await harness.configure('shop', { ...configuration, authorization: { '#token': 'a secret/word' } });
    await harness.work();
    const jobId = await harness.ask({ configurationId: 'shop' });
    const { status, result } = await harness.ended(jobId);
    expect(status).toBe('error');
    expect(result.message).toContain('[404]');
    expect(result.error?.type).toBe('user');
    expect(result.error?.exceptionId).toContain(`job-${jobId}-`);
    const shown = `${result.message}\n${(await harness.lines(jobId)).join('\n')}`;
    expect(shown).toContain('key=[hidden]');
    expect(shown).not.toContain('secret');
    expect(await harness.cells(shop)).toBeUndefined();
  });

  test('that breaks by a fault of the product shows an id, and the log of the operator has the cause', async () => {
    await harness.configure('shop', itemConfiguration(api.url));
    const cause = new TypeError('something inside');
    await harness.work({
      openHttp: () => {
        throw cause;
      },
    });
    const { result } = await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect(result.error?.type).toBe('application');
    expect(result.message).toContain(result.error?.exceptionId);
    expect(result.message).not.toContain('inside');
    expect(harness.broken).toEqual([cause]);
  });

  test('that finds no room on the disk ends in words', async () => {
    api.items = 3000;
    await harness.configure('shop', itemConfiguration(api.url, { limit: 1000 }));
    await harness.work({ disk: new JobDisk({ folder: harness.folder, bytes: 10_000, reserveBytes: 0 }) });
    const small = await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect(small.result.message).toContain('10000 bytes of its disk');
    expect(small.result.error?.type).toBe('application');
    expect(await harness.files()).toEqual([]);
  });

  test('that takes longer than it may ends in words', async () => {
    api.hold(10);
    await harness.configure('shop', itemConfiguration(api.url));
    await harness.work({ timeoutMs: 50 });
    const { status, result } = await harness.ended(await harness.ask({ configurationId: 'shop' }));
    expect([status, result.message]).toEqual(['error', 'The job was ended because it took more than 0 seconds.']);
  });

  test('that was asked to end while it runs ends within a second, and nothing of it is loaded', async () => {
    await harness.configure('shop', itemConfiguration(api.url));
    await harness.work();
    await oneInTime(1000, async () => {
      const { reached } = api.hold(10);
      const jobId = await harness.ask({ configurationId: 'shop' });
      await reached;
      return msOf(async () => {
        await harness.kill(jobId);
        expect(await harness.ended(jobId)).toMatchObject({ status: 'terminated', run: { attempt: 1 } });
      });
    });
    expect(await harness.cells(shop)).toBeUndefined();
  });

  test('of a configuration waits for the one before, others do not', async () => {
    const { open } = api.hold();
    await harness.configure('shop', itemConfiguration(api.url));
    await harness.configure('other', itemConfiguration(api.url, { outputBucket: 'other' }));
    await harness.work();
    const [first, second] = [
      await harness.ask({ configurationId: 'shop' }),
      await harness.ask({ configurationId: 'shop' }),
    ];
    const other = await harness.ask({ configurationId: 'other' });
    await harness.running(first);
    await harness.running(other);
    await eventually(async () => expect((await harness.job(second)).phase).toBe('waiting'));
    open();
    await harness.ended(second);
    // It is told after it is written down.
    const told = (): readonly string[] => harness.endings.map(({ jobId }) => jobId).filter((id) => id !== other);
    await eventually(() => expect(told()).toEqual([first, second]));
  });

  test('J12: writes down how far it is while it runs, over all of its runs of the extractor', async () => {
    const { reached, open } = api.hold(20);
    const job = (endpoint: string): object => ({ parameters: { config: { jobs: [{ endpoint }] } } });
    await harness.configure('shop', itemConfiguration(api.url), {
      rows: [
        { rowId: 'a', configuration: job('items') },
        { rowId: 'b', configuration: job('orders') },
      ],
    });
    await harness.work();
    const jobId = await harness.ask({ configurationId: 'shop' });
    await reached;
    await eventually(async () =>
      expect(await harness.progress(jobId)).toMatchObject({ attempt: 1, pages: 2, rows: 20 }),
    );
    open();
    await harness.ended(jobId);
    expect(await harness.progress(jobId)).toMatchObject({ pages: 6, rows: 50 });
    expect((await harness.progress(jobId))?.bytes).toBeGreaterThan(1000);
  });

  test('J10: keeps its state neither at a configuration nor at a row that was made anew under its id meanwhile', async () => {
    const { open } = api.hold();
    const rows = [{ rowId: 'a' }, { rowId: 'b' }];
    await harness.configure('plain', itemConfiguration(api.url, { outputBucket: 'plain' }));
    await harness.configure('rows', itemConfiguration(api.url), { rows });
    await harness.work();
    const jobs = [await harness.ask({ configurationId: 'plain' }), await harness.ask({ configurationId: 'rows' })];
    await eventually(() => expect(api.seen).toHaveLength(2));
    const created = { at: '2026-02-02T00:00:00.000Z', by: { type: 'system' } } as const;
    await harness.configure('plain', itemConfiguration(api.url, { outputBucket: 'plain' }), { created });
    await harness.configure('rows', itemConfiguration(api.url), { rows: [{ rowId: 'a' }, { rowId: 'b', created }] });
    open();
    for (const job of jobs) expect((await harness.ended(job)).status).toBe('success');
    expect((await harness.configuration('plain'))?.state).toBe('{}');
    const states = (await harness.configuration('rows'))?.rows.map(({ state }) => state);
    expect(states).toEqual([expect.stringContaining('previousStart'), '{}']);
  });

  test('in the mode debug makes its tables and loads none', async () => {
    await harness.configure('shop', itemConfiguration(api.url));
    await harness.work();
    const job = await harness.ended(await harness.ask({ configurationId: 'shop', mode: 'debug' }));
    expect(job).toMatchObject({ status: 'success', result: { tables: [{ tableId: shop, rows: 25 }] } });
    expect(await harness.cells(shop)).toBeUndefined();
  });
});

test('200 jobs share the machine, and each has its turn', async () => {
  const configurationData = (at: number): string =>
    JSON.stringify(itemConfiguration(api.url, { outputBucket: `b${at}`, limit: 100 }));
  await harness.configure('many', itemConfiguration(api.url, { outputBucket: 'many', limit: 100 }));
  const greedy: string[] = [];
  for (let at = 0; at < 150; at += 1) greedy.push(await harness.ask({ configurationId: 'many' }));
  const others: string[] = [];
  for (let at = 0; at < 50; at += 1) others.push(await harness.ask({ configurationData: configurationData(at) }));
  await harness.work();
  const all = greedy.length + others.length;
  await eventually(() => expect(harness.endings).toHaveLength(all), { withinMs: 280_000 });
  const order = harness.endings.map(({ jobId }) => jobId);
  expect(harness.endings.every(({ status }) => status === 'success')).toBe(true);
  // A configuration with many jobs has no more than one turn between those of others.
  const lastOther = Math.max(...others.map((jobId) => order.indexOf(jobId)));
  expect(lastOther).toBeLessThan(150);
});

test('a drain lets a job end that is about to, and hands over what is not', async () => {
  await harness.configure('shop', itemConfiguration(api.url));
  const { reached, open } = api.hold(10);
  const worker = await harness.work({ drainMs: 50 });
  const jobId = await harness.ask({ configurationId: 'shop' });
  await reached;
  await worker.service.drain();
  expect((await harness.job(jobId)).phase).toBe('waiting');
  open();
  await harness.work();
  expect(await harness.ended(jobId)).toMatchObject({ status: 'success', run: { attempt: 1 } });
  expect(await harness.cells(shop)).toEqual(numbers(25));
});
