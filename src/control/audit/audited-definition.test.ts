import { describe, expect, test } from 'vitest';
import { limits } from '../../core/limits.ts';
import { bounded, keptOf } from './audited-definition.ts';

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const sink = (length: number): Readonly<Record<string, unknown>> => ({
  name: 'k',
  version: 3,
  table: { tableId: 'in.c-shop.k', columns: ['é'.repeat(length)] },
});

describe('D8: what an entry keeps of a definition', () => {
  test('is whole as long as it fits', () => {
    const definition = { name: 's', version: 1, sinks: { k: sink(100) } };
    expect(bounded(definition)).toBe(definition);
  });

  test('loses the columns of sinks first, and says so', () => {
    const kept = bounded({ name: 's', version: 1, sinks: { k: sink(limits.auditDefinitionBytes), l: sink(1) } });
    expect(kept).toEqual({
      name: 's',
      version: 1,
      isCut: true,
      sinks: {
        k: { name: 'k', version: 3, table: { tableId: 'in.c-shop.k', isCut: true } },
        l: { name: 'k', version: 3, table: { tableId: 'in.c-shop.k', isCut: true } },
      },
    });
  });

  test.each([
    ['a sink', { ...sink(limits.auditDefinitionBytes), description: 'd' }],
    [
      'a source with many sinks',
      {
        version: 3,
        description: 'd',
        sinks: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, sink(1)])),
      },
    ],
  ])('is the version and the size when %s is too large without them, too', (_, definition) => {
    const kept = bounded(definition);
    expect(kept).toEqual({ version: 3, description: 'd', bytes: size(definition), isCut: true });
  });

  test('is never larger than the bound', () => {
    const kept = bounded({ version: 1, description: 'x'.repeat(2 * limits.auditDefinitionBytes) });
    expect(size(kept)).toBeLessThanOrEqual(limits.auditDefinitionBytes);
  });
});

describe('of both sides', () => {
  test('nothing is kept when they are the same', () => {
    expect(keptOf({ name: 'a' }, { name: 'a' })).toEqual({});
  });

  test('sinks are kept that differ, came or went', () => {
    const before = { name: 'a', sinks: { same: sink(1), changed: sink(1), gone: sink(1) } };
    const after = { name: 'a', sinks: { same: sink(1), changed: sink(2), come: sink(1) } };
    expect(keptOf(before, after)).toEqual({
      before: { name: 'a', sinks: { changed: sink(1), gone: sink(1) } },
      after: { name: 'a', sinks: { changed: sink(2), come: sink(1) } },
    });
    expect(keptOf(undefined, after)).toEqual({ after });
    expect(keptOf(before, undefined)).toEqual({ before });
  });
});
