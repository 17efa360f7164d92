import { truncate } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportHarness } from '../../../test/support/import-harness.ts';
import { MillraceError } from '../../core/millrace-error.ts';

const never = { signal: new AbortController().signal };
const [minute, day] = [60_000, 24 * 3_600_000];

let sink: ImportHarness;
let hasToken: boolean;

beforeEach(async () => {
  sink = await ImportHarness.open(5);
  hasToken = true;
  sink.rights.check = async () => {
    if (!hasToken) throw new MillraceError('sink.tokenMissing', 'the token is gone');
  };
});

afterEach(async () => {
  await sink[Symbol.asyncDispose]();
});

const causes = [
  { what: 'a missing table', code: 'table.notFound', begin: () => sink.options.tables.dropTable(sink.tableId, never) },
  {
    what: 'a table of another schema',
    code: 'table.schemaMismatch',
    begin: async () => {
      await sink.options.tables.dropTable(sink.tableId, never);
      await sink.options.tables.createTable(sink.tableId, ['other'], never);
    },
  },
  {
    what: 'a missing token',
    code: 'sink.tokenMissing',
    begin: async () => {
      hasToken = false;
    },
  },
  {
    what: 'damaged objects',
    code: 'table.invalidContent',
    begin: async () => {
      for (let index = 0; index < 5; index += 1) await truncate(await sink.pathOf(index), 0);
    },
  },
];

async function given(): Promise<number> {
  return (await sink.progress()).totals[0]?.givenUp ?? 0;
}

/** Time passes while the process runs; the last try is at its end. */
async function run(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10 * minute) {
    sink.run(Math.min(left, 10 * minute));
    sink.importer.hurry();
    await sink.workWhileDue();
  }
}

/** Earlier processes saw all slices fail for so long. */
async function failedFor(code: string, ms: number): Promise<void> {
  sink.clock.jump(ms);
  const failing = { code, since: sink.clock.now() - ms, provenMs: ms };
  await sink.rewrite((progress) => ({ ...progress, staged: progress.staged.map((slice) => ({ ...slice, failing })) }));
}

describe.each(causes)('$what', ({ begin, code }) => {
  it('D2: met at the first try after eight days off gives nothing up', async () => {
    sink.clock.advance(8 * day);
    sink.restart();
    await begin();
    await sink.workWhileDue();
    sink.clock.advance(2 * minute);
    await sink.workWhileDue();
    expect(await given()).toBe(0);
    const { staged, parked } = await sink.progress();
    const failing = [...staged, ...parked];
    expect(failing).toHaveLength(5);
    for (const slice of failing) expect(slice.failing).toMatchObject({ code, since: Date.UTC(2024, 5, 9) });
  });

  it('D2: gives nothing up when the clock on the wall jumps eight days', async () => {
    await begin();
    await sink.workWhileDue();
    sink.clock.jump(8 * day);
    sink.clock.advance(2 * minute);
    await sink.workWhileDue();
    expect(await given()).toBe(0);
  });

  it('D2: gives nothing up after a pause of eight days between two failures', async () => {
    await begin();
    await sink.workWhileDue();
    sink.clock.advance(8 * day);
    await sink.workWhileDue();
    sink.restart();
    sink.clock.advance(8 * day);
    await sink.workWhileDue();
    expect(await given()).toBe(0);
  });

  it('D2: gives nothing up when the process was stopped for most of seven days, each time for less than half an hour', async () => {
    await failedFor(code, 7 * day - 30 * minute);
    await begin();
    await sink.workWhileDue();
    for (let stops = 0; stops < 10; stops += 1) {
      sink.clock.advance(28 * minute);
      await run(minute);
    }
    expect(await given()).toBe(0);
  });

  it('D4: that was seen for seven days gives up what could not be imported, and counts it', async () => {
    await failedFor(code, 7 * day - 30 * minute);
    await begin();
    await sink.workWhileDue();
    await run(29 * minute);
    expect(await given()).toBe(0);
    await run(2 * minute);
    expect(await given()).toBe(5);
    expect(sink.given).toHaveLength(5);
    expect(await sink.progress()).toMatchObject({ staged: [], parked: [] });
  });

  it('D2: that was seen for seven days gives nothing up when the clock on the wall says that it was less', async () => {
    await failedFor(code, 7 * day);
    sink.clock.jump(-day);
    await begin();
    await sink.workWhileDue();
    await run(31 * minute);
    expect(await given()).toBe(0);
  });
});

describe('what was seen to fail', () => {
  it('D2: begins anew for slices whose table fitted meanwhile', async () => {
    await failedFor('table.notFound', 7 * day - minute);
    await sink.options.tables.dropTable(sink.tableId, never);
    await sink.workWhileDue();
    expect((await sink.progress()).parked).toHaveLength(5);
    await sink.options.tables.createTable(sink.tableId, ['body'], never);
    hasToken = false;
    sink.importer.hurry();
    await sink.workWhileDue();
    expect((await sink.progress()).staged).toHaveLength(5);
    await sink.options.tables.dropTable(sink.tableId, never);
    hasToken = true;
    await run(20 * minute);
    expect((await sink.progress()).parked).toHaveLength(5);
    expect(await given()).toBe(0);
  });

  it('D4: does not change the document at each try, but once a minute', async () => {
    await truncate(await sink.pathOf(0), 0);
    hasToken = false;
    await sink.workWhileDue();
    const { revision } = await sink.held();
    let [tries, changes, last] = [0, 0, revision];
    for (let passed = 0; passed < 10 * minute; passed += 1000) {
      sink.clock.advance(1000);
      sink.importer.hurry();
      await sink.workWhileDue();
      tries += 1;
      const now = (await sink.held()).revision;
      if (now !== last) changes += 1;
      last = now;
    }
    expect(tries).toBe(600);
    expect(changes).toBe(10);
  });
});
