import { describe, expect, it } from 'vitest';
import { exampleTime as at, onePage, runAnswered } from '../../../test/support/command-api.ts';

const shop = '/v1/branches/default/sources/shop';
const orders = `${shop}/sinks/orders`;

const level = (recordsCount: number, bytes: number) => ({
  firstRecordAt: at,
  lastRecordAt: at,
  recordsCount,
  compressedSize: bytes,
  uncompressedSize: bytes,
  deadLettersCount: 1,
});

describe('sink statistics', () => {
  const statistics = {
    total: level(1005, 2_000_000),
    levels: { staging: level(5, 90), target: level(1000, 1_999_910) },
  };
  const answers = () => ({ [`GET ${orders}/statistics/total`]: { body: statistics } });

  it('has a line a level that holds anything, and their sum; plain numbers for a program', async () => {
    const { code, stdout } = await runAnswered(['sink', 'statistics', 'shop', 'orders'], answers);
    expect(code).toBe(0);
    expect(stdout).toBe(`level    rows  dead letters    bytes  first                     last
staging     5             1       90  ${at}  ${at}
target   1000             1  1999910  ${at}  ${at}
total    1005             1  2000000  ${at}  ${at}
`);
  });

  it('--json has what the API says', async () => {
    const { stdout } = await runAnswered(['sink', 'statistics', 'shop', 'orders', '--json'], answers);
    expect(JSON.parse(stdout)).toEqual(statistics);
  });
});

describe('clear-statistics', () => {
  it('clears those of a sink, or of all sinks of a source', async () => {
    const sink = await runAnswered(['sink', 'clear-statistics', 'shop', 'orders'], () => ({
      [`DELETE ${orders}/statistics/clear`]: { body: {} },
    }));
    expect(sink).toMatchObject({ code: 0, stdout: 'Statistics have been cleared.\n', stderr: '' });
    const source = await runAnswered(['source', 'clear-statistics', 'shop', '--json'], () => ({
      [`DELETE ${shop}/statistics/clear`]: { body: {} },
    }));
    expect(JSON.parse(source.stdout)).toEqual({ sourceId: 'shop', isCleared: true });
  });
});

describe('sink files and sink imports', () => {
  it('files tell what is imported together, and D6: why it does not go on', async () => {
    const total = level(3, 30);
    const files = [
      { state: 'imported', openedAt: at, importNumber: 7, statistics: { total, levels: { target: total } } },
      {
        state: 'importing',
        openedAt: at,
        retryAttempt: 2,
        retryReason: 'no table',
        retryAfter: at,
        statistics: { total: null, levels: {} },
      },
    ];
    const { stdout } = await runAnswered(['sink', 'files', 'shop', 'orders'], () => ({
      [`GET ${orders}/statistics/files`]: { body: { files } },
    }));
    expect(stdout).toBe(`state      opened                    rows  dead letters  bytes  import  retry
imported   ${at}     3             1     30  7
importing  ${at}     0             0      0          failed 2 times: no table; next try ${at}
`);
    const failed = await runAnswered(['sink', 'files', 'shop', 'orders', '--failed', '--json'], () => ({
      [`GET ${orders}/statistics/files?failedFiles=true`]: { body: { files: files.slice(1) } },
    }));
    expect(JSON.parse(failed.stdout)).toEqual(files.slice(1));
  });

  it('imports are the last ones, the newest first', async () => {
    const last = {
      number: 7,
      id: 'x',
      verdict: 'loaded',
      mappingVersion: 1,
      slices: 2,
      rows: 3,
      dead: 1,
      bytes: 30,
      startedAt: at,
      finishedAt: at,
      durationMs: 12,
      replay: null,
    };
    const replayed = { ...last, number: 6, slices: 0, dead: 0, replay: { id: 'r', letters: 4 } };
    const { stdout } = await runAnswered(['sink', 'imports', 'shop', 'orders', '--limit', '5'], () => ({
      [`GET ${orders}/imports?limit=5`]: { body: { page: { ...onePage, limit: 5 }, imports: [last, replayed] } },
    }));
    expect(stdout).toBe(`import  finished                  verdict  rows  dead letters  replayed  bytes  ms
     7  ${at}  loaded      3             1         0     30  12
     6  ${at}  loaded      3             0         4     30  12
`);
  });
});
