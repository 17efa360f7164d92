import { expect, test } from 'vitest';
import { progressOf } from '../../../test/support/progress-of.ts';
import { hasDelivered } from './sink-token.ts';

test('U2: a sink has something left as long as only a newer release may write its progress', () => {
  const closed = { ...progressOf(), open: false };
  expect(hasDelivered(closed)).toBe(true);
  const newer = { ...closed, format: { version: 9, oldestWriter: 9 } };
  expect(hasDelivered(newer)).toBe(false);
});
