import { describe, expect, it, test } from 'vitest';
import { answeredAt, delayBefore, longestDelayMs, parseRetries } from './retries.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('1.4: which requests are sent again', () => {
  it('is known without a configuration', () => {
    const { most, header, statuses, failures } = parseRetries(undefined);
    expect({ most, header }).toEqual({ most: 10, header: 'retry-after' });
    expect([...statuses]).toEqual([500, 502, 503, 504, 408, 420, 429]);
    expect([...failures]).toEqual([28, 6, 7, 35, 52, 56]);
  });

  test.each([
    { maxRetries: '3', http: { retryHeader: 'X-Wait', codes: [404, '418'] }, curl: { codes: [6] } },
    { maxRetries: 3, headerName: 'X-Wait', httpCodes: [404, 418], curlCodes: [6] },
  ])('is what the configuration says: %o', (configuration) => {
    expect(parseRetries(configuration)).toEqual({
      most: 3,
      header: 'x-wait',
      statuses: new Set([404, 418]),
      failures: new Set([6]),
    });
  });

  it('may be none', () => {
    expect(parseRetries({ maxRetries: 0 }).most).toBe(0);
  });

  test.each([
    [{ maxRetries: 'x' }, "'retryConfig.maxRetries' must be a number of 0 or more. Value 'x'."],
    [{ maxRetries: -1 }, "'retryConfig.maxRetries' must be a number of 0 or more. Value '-1'."],
    [{ http: { codes: 500 } }, "'retryConfig.http.codes' must be a list of numbers. Value '500'."],
    [{ curlCodes: ['x'] }, "'retryConfig.curl.codes' must be a list of numbers. Value '[\"x\"]'."],
    [
      { http: { codes: [2n ** 70n, 'x'] } },
      `'retryConfig.http.codes' must be a list of numbers. Value '["${2n ** 70n}","x"]'.`,
    ],
    ['x', "'retryConfig' must be an object."],
  ])('is refused where it is wrong: %o', (configuration, message) => {
    expect(() => parseRetries(configuration)).toThrow(message);
  });
});

describe('1.4: the wait before a retry', () => {
  const delay = (retry: number, after?: string, random = 0.5): number => delayBefore({ retry, after, now, random });

  it('doubles from a second on, with jitter, up to a cap', () => {
    expect([1, 2, 3, 4].map((retry) => delay(retry))).toEqual([1000, 2000, 4000, 8000]);
    expect(delay(2, undefined, 0)).toBe(1000);
    expect(delay(2, undefined, 0.999)).toBeCloseTo(2998);
    expect(delay(100)).toBe(longestDelayMs);
  });

  test.each([
    ['7', 7000],
    ['0', 0],
    [String(now / 1000 + 20), 20_000],
    [String(now / 1000 - 20), 0],
    [new Date(now + 30_000).toUTCString(), 30_000],
    [new Date(now - 30_000).toUTCString(), 0],
  ])('is what the answer asks for: %s', (after, least) => {
    expect(delay(3, after, 0)).toBe(least);
    expect(delay(3, after, 1)).toBe(1.5 * least);
  });

  it('is the usual one where the answer says nothing that means something', () => {
    expect(delay(3, 'soon')).toBe(4000);
  });

  test.each([
    [3_600_000, 'an hour behind'],
    [-3_600_000, 'an hour ahead'],
  ])('is by the clock of who answered, also where the one of this machine is off by %i ms: %s', (off) => {
    const theirs = now + off;
    const date = new Date(theirs).toUTCString();
    const after = new Date(theirs + 30_000).toUTCString();
    expect(delayBefore({ retry: 1, after, now: answeredAt(date, now), random: 0 })).toBe(30_000);
  });

  it('is by the clock of this machine where the answer has no time, or one that cannot be', () => {
    expect([undefined, 'soon', new Date(now - 90_000_000).toUTCString()].map((date) => answeredAt(date, now))).toEqual([
      now,
      now,
      now,
    ]);
  });
});
