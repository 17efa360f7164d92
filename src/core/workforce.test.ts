import { expect, test } from 'vitest';
import { workerGoneMs, workerMissedMs, workerSaidEveryMs, workersPresent, workforceOf } from './workforce.ts';

const now = Date.UTC(2026, 0, 1);
const ago = (ms: number): { readonly at: string } => ({ at: new Date(now - ms).toISOString() });

test('J1: whoever said it a moment ago is there, also with a clock that is ahead', () => {
  expect(workforceOf([ago(workerMissedMs * 2), ago(workerGoneMs - 1)], now)).toBe('present');
  expect(workforceOf([ago(-workerSaidEveryMs)], now)).toBe('present');
});

test('J1: whoever was there within the hour is missed, and is expected back', () => {
  expect(workforceOf([ago(workerGoneMs)], now)).toBe('missed');
  expect(workforceOf([ago(workerMissedMs - 1)], now)).toBe('missed');
});

test('J1: nobody runs jobs where nobody ever said so, or not for an hour', () => {
  expect(workforceOf([], now)).toBe('none');
  expect(workforceOf([ago(workerMissedMs), ago(workerMissedMs * 3)], now)).toBe('none');
});

test('those that are there are counted', () => {
  expect(workersPresent([ago(0), ago(workerGoneMs - 1), ago(workerGoneMs)], now)).toBe(2);
});
