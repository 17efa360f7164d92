import { expect, test } from 'vitest';
import { clockFinding, clockOffset } from './clock-finding.ts';

test.each([
  [1500, 0],
  [2000, 0],
  [900, -100],
  [2300, 300],
])('a server that says %d between 1000 and 2000 is off by %d ms at least', (serverMs, offMs) => {
  expect(clockOffset(serverMs, { from: 1000, to: 2000 })).toBe(offMs);
});

test.each([
  [-1999, 'good', 'The clocks of this machine and of the broker agree.'],
  [60_000, 'advice', 'The clock of this machine is 60 s behind the clock of the broker: set both by NTP.'],
  [-60_000, 'advice', 'The clock of this machine is 60 s ahead of the clock of the broker: set both by NTP.'],
])('clocks that are %d ms apart', (offMs, kind, text) => {
  expect(clockFinding('broker', offMs)).toEqual({ kind, about: 'clock', text });
});
