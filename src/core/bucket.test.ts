import { describe, expect, it } from 'vitest';
import { bucketIdOf, parseBucketId } from './bucket.ts';

describe('the id of a bucket', () => {
  it('B1: begins with the stage, and its name with "c-", whether that was given or not', () => {
    expect(bucketIdOf({ stage: 'in', name: 'shop' })).toBe('in.c-shop');
    expect(bucketIdOf({ stage: 'out', name: 'c-shop' })).toBe('out.c-shop');
    expect(bucketIdOf({ stage: 'in', name: 'Größe_2' })).toBe('in.c-Größe_2');
    expect(bucketIdOf({ stage: 'in', name: 'x'.repeat(94) })).toHaveLength(99);
  });

  it.each([
    { stage: 'in', name: '' },
    { stage: 'in', name: 'c-' },
    { stage: 'in', name: 'a.b' },
    { stage: 'in', name: 'a b' },
    { stage: 'in', name: "a'; DROP" },
    { stage: 'in', name: '../x' },
    { stage: 'in', name: 'x'.repeat(95) },
    { stage: 'up', name: 'shop' },
    { stage: '', name: 'shop' },
  ])('B1: is refused in words for $stage and $name', (given) => {
    expect(() => bucketIdOf(given)).toThrow(expect.objectContaining({ code: 'bucket.invalid' }));
  });

  it.each(['in', 'in.', 'in.c-shop.orders', '', 'in.c-shop/..'])('%j is none', (text) => {
    expect(() => parseBucketId(text)).toThrow(/invalid bucket ID/);
  });
});
