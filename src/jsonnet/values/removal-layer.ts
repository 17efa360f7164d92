import type { Evaluation } from '../evaluation.ts';
import { JsonnetObject } from './jsonnet-object.ts';
import type { Field, Layer } from './layer.ts';
import { layersOf } from './slot-layer.ts';
import type { ObjectValue } from './value.ts';

/** Takes one name away from the layers of the object it is put on, not from those that `+` puts below these. */
class RemovalLayer implements Layer {
  readonly hasAsserts = false;
  readonly size = 1;
  readonly #name: string;
  readonly #removed: Field;

  constructor(name: string, span: number) {
    this.#name = name;
    this.#removed = { visibility: 'removed', plus: false, span, read: () => null };
  }

  find(name: string): Field | undefined {
    return name === this.#name ? this.#removed : undefined;
  }

  names(): Iterable<string> {
    return [this.#name];
  }

  checkAsserts(): void {}
}

/**
 * The object without a field: `self` does not see it any more, `super` within the object still does. All else (late
 * binding, visibility, asserts) stays.
 */
export function withoutField(object: ObjectValue, name: string, evaluation: Evaluation): JsonnetObject {
  const layers = layersOf(object);
  evaluation.array(layers.length + 1);
  evaluation.late(3);
  return new JsonnetObject([...layers, new RemovalLayer(name, layers.length)]);
}
