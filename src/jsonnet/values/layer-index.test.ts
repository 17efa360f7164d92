import { describe, expect, it } from 'vitest';
import { Evaluation } from '../evaluation.ts';
import { defaultLimits } from '../limits.ts';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';
import { LayerIndex } from './layer-index.ts';
import { layersOf } from './slot-layer.ts';

const doubled = (object: string, times: number): string =>
  `local double(o, n) = if n == 0 then o else double(o + o, n - 1); local many = double(${object}, ${times}); `;

describe('an object of many layers', () => {
  it('finds the highest layer under a depth that has a name', () => {
    const evaluation = new Evaluation({ limits: defaultLimits, context: undefined, extVars: {}, natives: {} });
    const layers = [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }].flatMap((object) => layersOf(object));
    const index = new LayerIndex(layers, evaluation);
    expect([3, 2, 1, 0].map((below) => index.highest('a', below))).toEqual([2, 0, 0, -1]);
    expect([3, 2, 1].map((below) => index.highest('b', below))).toEqual([2, 1, -1]);
    expect(index.highest('c', 3)).toBe(-1);
  });

  it('gives super, +: and visibility as one of few layers does', () => {
    const layer = '{ total+: 1, chain: (if "chain" in super then super.chain else "") + "x", h:: 1 }';
    expect(valueOf(`${doubled(layer, 4)}[many, std.objectHas(many, "h"), "h" in many]`)).toEqual([
      { total: 16, chain: 'x'.repeat(16) },
      false,
      true,
    ]);
    expect(valueOf(`${doubled('{ a:: 1 }', 4)}many + { a::: 2 } + { a: 3 }`)).toEqual({ a: 3 });
  });

  it('charges what it takes to know the names of all layers', () => {
    const wide = '{ ["f" + i]: i for i in std.range(1, 1000) }';
    expect(errorOf(`${doubled(wide, 14)}std.objectHas(many, "none")`)).toContain('limit steps exceeded');
  });

  it('looks a name up without asking each layer', () => {
    const looks = 'many { found: std.count(["none" in super for i in std.range(1, 20000)], true) }';
    expect(valueOf(`${doubled('{ a: 1 }', 16)}(${looks}).found`)).toBe(0);
    const has = 'std.count([std.objectHas(many, "a") for i in std.range(1, 20000)], true)';
    expect(valueOf(`${doubled('{ a: 1 }', 16)}${has}`)).toBe(20000);
  });
});
