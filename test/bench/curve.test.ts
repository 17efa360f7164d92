import { expect, test } from 'vitest';
import { curvePicture, numberText, type Curve } from './curve.ts';
import { spreadOf } from './statistics.ts';

const proportional: Curve = {
  name: 'growth-of-something',
  title: 'An event by its size',
  along: 'bytes',
  shows: 'µs',
  lines: [{ name: 'cost', points: [10, 100, 1000].map((at) => ({ at, spread: spreadOf([at, 2 * at, 4 * at]) })) }],
};

test('what grows in proportion is a straight line', () => {
  const [, path = ''] = / d="M([^"]+)"/.exec(curvePicture(proportional)) ?? [];
  const points = path.split('L').map((point) => point.split(',').map(Number));
  expect(points.length).toBe(3);
  const slopes = points
    .slice(1)
    .map(([x = 0, y = 0], index) => (y - (points[index]?.[1] ?? 0)) / (x - (points[index]?.[0] ?? 0)));
  expect(slopes[0]).toBeLessThan(0);
  expect(slopes[1]).toBeCloseTo(slopes[0] ?? 0, 2);
});

test('a picture says what it shows, and has a stroke of quartiles for each point', () => {
  const picture = curvePicture(proportional);
  for (const text of ['An event by its size', 'bytes', 'µs', 'cost', '1 k']) expect(picture).toContain(`>${text}<`);
  expect(picture.match(/class="spread"/g)?.length).toBe(3);
  expect(picture).not.toContain('NaN');
});

test('one point alone is drawn, too', () => {
  const lines = [{ name: 'cost', points: [{ at: 5, spread: spreadOf([7]) }] }];
  expect(curvePicture({ ...proportional, lines })).not.toContain('NaN');
});

test('numbers have three digits at most', () => {
  expect([0.5, 7, 1234, 8_440, 1_000_000].map(numberText)).toEqual(['0.5', '7', '1.23 k', '8.44 k', '1 M']);
});
