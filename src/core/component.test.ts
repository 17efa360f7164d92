import { describe, expect, it } from 'vitest';
import { componentOf } from './component.ts';

describe('E1: a component', () => {
  it.each([
    ['generic-extractor', ['generic-extractor', 'ex-generic-v2', 'keboola.ex-generic-v2']],
    ['variables', ['variables', 'keboola.variables']],
    ['shared-code', ['shared-code', 'keboola.shared-code']],
  ])('%s is known by the ids of the reference, too: %j', (id, names) => {
    expect(names.map((name) => componentOf(name)?.id)).toEqual(names.map(() => id));
  });

  it.each(['', 'Variables', 'ex-generic', '__proto__', 'generic-extractor '])('%j is none', (name) => {
    expect(componentOf(name)).toBeUndefined();
  });
});
