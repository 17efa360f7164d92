import type { Evaluation } from '../evaluation.ts';
import type { Layer } from './layer.ts';

/** Which layers of an object have something to say of a name, for objects of too many layers to ask each one. */
export class LayerIndex {
  /** Ascending depths by name. */
  readonly #depths = new Map<string, number[]>();

  constructor(layers: readonly Layer[], evaluation: Evaluation) {
    layers.forEach((layer, depth) => {
      evaluation.steps(layer.size);
      for (const name of layer.names()) {
        const depths = this.#depths.get(name);
        if (depths === undefined) this.#depths.set(name, [depth]);
        else depths.push(depth);
      }
    });
  }

  /** The highest depth under `below` at which the name stands, or -1. */
  highest(name: string, below: number): number {
    const depths = this.#depths.get(name);
    if (depths === undefined) return -1;
    let [low, high] = [0, depths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((depths[middle] ?? below) < below) low = middle + 1;
      else high = middle;
    }
    return depths[low - 1] ?? -1;
  }
}
