import { expect, test } from 'vitest';
import { allowed, endsAt, progressOf } from '../../../test/support/progress-of.ts';
import { heldBack, isDelivered } from './flush.ts';
import { close } from './switch.ts';

const behind = { ...endsAt(12), stable: new Map([[0, 7]]) };

test('D2: what was acknowledged behind an open transaction is not delivered, and is told apart from what can be read', () => {
  const progress = progressOf(3);
  expect(isDelivered(progress, behind.durable)).toBe(false);
  expect(heldBack(progress, behind.durable, behind)).toBe(5);
  expect(heldBack(progress, new Map([[0, 9]]), behind)).toBe(2);
  expect(heldBack(progress, behind.durable, endsAt(12))).toBe(0);
});

test('what a sink does not want is not held back', () => {
  const closed = allowed(close(progressOf(3), endsAt(8), { deleted: false }));
  expect(heldBack(closed, behind.durable, behind)).toBe(1);
});
