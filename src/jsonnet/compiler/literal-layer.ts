import type { Evaluation } from '../evaluation.ts';
import { makeFrame, smallFrame, type Code, type Frame } from '../values/frame.ts';
import type { JsonnetObject } from '../values/jsonnet-object.ts';
import type { Field, FieldListing, FixedFields, Layer, Visibility } from '../values/layer.ts';
import type { Value } from '../values/value.ts';
import type { FrameLayout } from './frame-layout.ts';
import type { SetLocals } from './local-code.ts';

/** What all objects that one literal makes share. */
export interface Shape {
  /** The frame of `self` (slot 1), depth (slot 2) and object locals; without one, fields live in the frame around. */
  readonly scope: FrameLayout | undefined;
  readonly setLocals: SetLocals;
  readonly asserts: readonly Code[];
  /** The fields with fixed names, and their listing when there are no others. */
  readonly fields: ReadonlyMap<string, LiteralField>;
  readonly listing: FieldListing | undefined;
  readonly fixed: FixedFields | undefined;
}

/** A field of an object literal. */
export class LiteralField implements Field {
  readonly visibility: Visibility;
  readonly plus: boolean;
  readonly code: Code;

  constructor(code: Code, visibility: Visibility, plus: boolean) {
    this.code = code;
    this.visibility = visibility;
    this.plus = plus;
  }

  read(object: JsonnetObject, depth: number, evaluation: Evaluation): Value {
    // The layer that found this field is the one at `depth`, and only literal layers have literal fields.
    const layer = object.layers[depth] as LiteralLayer;
    return this.code(layer.scopeIn(object, depth, evaluation), evaluation);
  }
}

/** The layer that an object literal makes: its shape and the frame around it. */
export class LiteralLayer implements Layer {
  readonly shape: Shape;
  readonly frame: Frame;
  readonly fields: ReadonlyMap<string, Field>;

  constructor(shape: Shape, frame: Frame, fields: ReadonlyMap<string, Field> = shape.fields) {
    this.shape = shape;
    this.frame = frame;
    this.fields = fields;
  }

  get size(): number {
    return this.fields.size;
  }

  get hasAsserts(): boolean {
    return this.shape.asserts.length > 0;
  }

  get listing(): FieldListing | undefined {
    return this.shape.listing;
  }

  get fixed(): FixedFields | undefined {
    return this.shape.fixed;
  }

  find(name: string): Field | undefined {
    return this.fields.get(name);
  }

  names(): Iterable<string> {
    return this.fields.keys();
  }

  checkAsserts(object: JsonnetObject, depth: number, evaluation: Evaluation): void {
    const scope = this.scopeIn(object, depth, evaluation);
    for (const check of this.shape.asserts) check(scope, evaluation);
  }

  /** The frame of the fields within one object; made once for each object. */
  scopeIn(object: JsonnetObject, depth: number, evaluation: Evaluation): Frame {
    if (this.shape.scope === undefined) return this.frame;
    const known = object.scope(depth);
    if (known !== undefined) return known;
    const scope = bindScope(this.shape, this.frame, { object, depth });
    object.keepScope(depth, scope);
    if (scope.length > smallFrame) evaluation.steps(scope.length);
    this.shape.setLocals(scope, evaluation);
    return scope;
  }
}

/** A frame in which `self` is `object` and `super` what is under `depth`. */
export function bindScope(shape: Shape, around: Frame, self: { object: JsonnetObject; depth: number }): Frame {
  const scope = makeFrame(around, shape.scope?.size ?? 3);
  scope[1] = self.object;
  scope[2] = self.depth;
  return scope;
}
