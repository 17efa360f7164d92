import { expect, test } from 'vitest';
import { parsePsTime, parseStat, partOf, readProcessorTime, timeBetween, totalOf } from './processor-time.ts';

const rest = '0 -1 4194304 100 0 0 0 250 17 0 0 20 0 25 0 1234 1000000 2000 18446744073709551615';

test('a line of /proc/PID/stat is a thread with its name and its times in microseconds', () => {
  expect(parseStat(`4711 (map) S 1 1 1 ${rest}`)).toEqual({ id: 4711, name: 'map', user: 2_500_000, system: 170_000 });
});

test('a name may hold blanks and parentheses', () => {
  expect(parseStat(`1 (a) S (b) R 1 1 1 ${rest}`)).toMatchObject({ name: 'a) S (b', user: 2_500_000 });
});

test('what is not such a line is an error that shows it', () => {
  expect(() => parseStat('nonsense')).toThrow('not a line of /proc/PID/stat: nonsense');
});

test('threads of the engine and of the pool are one part each, and those of a role are', () => {
  expect(['V8Worker', 'DelayedTaskSche', 'libuv-worker', 'MainThread', 'map', 'map-2', 'stage'].map(partOf)).toEqual([
    'V8',
    'V8',
    'pool',
    'drivers',
    'map',
    'map',
    'stage',
  ]);
});

test('in a cluster the name of a thread begins with machine and process, which are no part of it', () => {
  expect(['vm-9643-ingest', 'a-b-17-map-2', 'vm-123456-stage', 'vm-9643-ingest-'].map(partOf)).toEqual([
    'ingest',
    'map',
    'stage',
    'ingest',
  ]);
});

test('times of ps are read with days, hours, and hundredths', () => {
  expect(['0:01.25', '  01:02:03\n', '2-00:00:01'].map(parsePsTime)).toEqual([
    1_250_000, 3_723_000_000, 172_801_000_000,
  ]);
  expect(() => parsePsTime('-')).toThrow('not a time of ps: -');
});

test('between two readings only what was used is told', () => {
  const times = (user: number, system: number) => ({ user, system });
  const before = {
    all: times(10, 5),
    threads: new Map([
      ['main', times(8, 5)],
      ['V8', times(2, 0)],
    ]),
  };
  const after = {
    all: times(30, 9),
    threads: new Map([
      ['main', times(20, 8)],
      ['V8', times(2, 0)],
      ['map', times(8, 1)],
    ]),
  };
  expect(timeBetween(before, after)).toEqual({
    all: times(20, 4),
    threads: new Map([
      ['main', times(12, 3)],
      ['map', times(8, 1)],
    ]),
  });
});

test('this process is read, with its main thread among its parts where the machine tells them apart', async () => {
  const own = await readProcessorTime(process.pid);
  expect(totalOf(own.all)).toBeGreaterThan(0);
  expect(own.threads.has('main')).toBe(process.platform === 'linux');
});
