import { expect, test } from 'vitest';
import { dearest, speedscopeOf, type CpuProfile } from './speedscope.ts';

const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 6] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('outer', 'node:http', 9), children: [5] },
    { id: 4, callFrame: frame('(garbage collector)') },
    { id: 5, callFrame: frame('', 'node:net', 4) },
    { id: 6, callFrame: frame('post', 'node:inspector', 114) },
  ],
  samples: [6, 3, 5, 2, 4, 5],
  timeDeltas: [0, 100, 200, 300, 5000, 50],
};

test('a flame graph has a stack for each sample, without the time in which the thread had nothing to do, or was at work for the profiler', () => {
  expect(speedscopeOf('accept', [{ name: 'main', profile }])).toMatchObject({
    name: 'accept',
    shared: {
      frames: [
        { name: 'outer', file: 'node:http', line: 10 },
        { name: '(anonymous)', file: 'node:net', line: 5 },
        { name: '(garbage collector)' },
      ],
    },
    profiles: [{ name: 'main', samples: [[0], [0, 1], [2]], weights: [200, 300, 50], endValue: 550 }],
  });
});

test('the functions that took most are told by their own time', () => {
  expect(dearest({ name: 'main', profile }, 2)).toBe(
    'main: busy for 0.00 s\n  54.5 %  (anonymous) node:net:5\n  36.4 %  outer node:http:10\n',
  );
});
