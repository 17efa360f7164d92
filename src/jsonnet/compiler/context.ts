import { JsonnetError } from '../jsonnet-error.ts';
import type { Node } from '../syntax/node.ts';
import type { Builtin } from '../std/builtin.ts';
import type { Code, Frame } from '../values/frame.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Slot } from '../values/value.ts';
import { FrameLayout } from './frame-layout.ts';
import { Names, type Meaning } from './names.ts';

/** Makes what stands in a position that is computed only when used: a value where that is free, else a late one. */
export type LazyCode = (frame: Frame, evaluation: Evaluation) => Slot;

/** Where `self` (slot 1) and the layer's depth (slot 2) of an object are. */
export interface ObjectScope {
  readonly frame: FrameLayout;
}

/** What is the same in the whole template. */
export interface Program {
  readonly code: (node: Node, context: Context) => Code;
  readonly lazy: (node: Node, context: Context) => LazyCode;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly natives: ReadonlyMap<string, Builtin>;
  /** The objects whose `self`, `super` or `$` is used. */
  readonly selfUsers: ReadonlySet<Node>;
}

interface Parts {
  readonly program: Program;
  readonly frame: FrameLayout;
  readonly names: Names;
  /** The objects that `self` and `$` mean; without frame when nothing in them uses it. */
  readonly self: ObjectScope | undefined;
  readonly dollar: ObjectScope | undefined;
  /** Whether the value of the expression is the value of the function it is in. */
  readonly isTail: boolean;
  /** Slots that are not set yet while the expression's position is computed, so they cannot be shared. */
  readonly unset: ReadonlySet<number>;
}

/** What the compiler knows at one point of the text. Never changed: going inwards makes another one. */
export class Context {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get program(): Program {
    return this.#parts.program;
  }

  get frame(): FrameLayout {
    return this.#parts.frame;
  }

  get isTail(): boolean {
    return this.#parts.isTail;
  }

  get unset(): ReadonlySet<number> {
    return this.#parts.unset;
  }

  /** Compiles an operand: what it computes is used here. */
  code(node: Node): Code {
    return this.program.code(node, this.#parts.isTail ? this.with({ isTail: false }) : this);
  }

  /** Compiles an expression whose value is the value of the one around it. */
  tailCode(node: Node): Code {
    return this.program.code(node, this);
  }

  lazy(node: Node): LazyCode {
    return this.program.lazy(node, this.#parts.isTail ? this.with({ isTail: false }) : this);
  }

  with(changed: Partial<Parts>): Context {
    return new Context({ ...this.#parts, ...changed });
  }

  /** Adds names in this frame: each gets a slot. */
  declare(names: readonly string[]): { readonly context: Context; readonly slots: readonly number[] } {
    const { frame } = this.#parts;
    const slots = names.map(() => frame.add());
    const own = new Map(
      names.map((name, at): [string, Meaning] => [name, { kind: 'slot', frame, slot: slots[at] ?? 0 }]),
    );
    return { context: this.with({ names: new Names(own, this.#parts.names) }), slots };
  }

  /** Goes into a frame within this one. */
  inside(): Context {
    return this.with({ frame: new FrameLayout(this.#parts.frame), unset: new Set(), isTail: false });
  }

  /** What a name means here; an unknown one is a static error. */
  lookUp(node: Extract<Node, { kind: 'variable' }>): Meaning {
    const meaning = this.#parts.names.find(node.name);
    if (meaning === undefined)
      throw new JsonnetError('static', `Unknown variable: ${node.name}`, { place: node.place });
    return meaning;
  }

  /** The function of `std` that `std.name` means here, if `std` is not another variable. */
  builtin(node: Node): Builtin | undefined {
    if (node.kind === 'variable') {
      const meaning = this.#parts.names.find(node.name);
      return meaning?.kind === 'host' ? this.program.natives.get(meaning.name) : undefined;
    }
    if (node.kind !== 'index' || node.index.kind !== 'literal' || node.target.kind !== 'variable') return undefined;
    const meaning = this.#parts.names.find(node.target.name);
    if (meaning?.kind !== 'host' || meaning.name !== 'std') return undefined;
    return this.program.builtins.get(String(node.index.value));
  }

  /** The object that `self` or `super` means. */
  selfScope(node: Node): ObjectScope {
    return this.#required(this.#parts.self, node);
  }

  dollarScope(node: Node): ObjectScope {
    return this.#required(this.#parts.dollar, node);
  }

  /** Goes into an object literal: `self` is found in `frame` when anything in it needs it. */
  inObject(scope: ObjectScope): Context {
    return this.with({ self: scope, dollar: this.#parts.dollar ?? scope, isTail: false });
  }

  #required(scope: ObjectScope | undefined, node: Node): ObjectScope {
    if (scope !== undefined) return scope;
    const what = node.kind === 'self' ? 'self' : 'super';
    const message = node.kind === 'dollar' ? 'No top-level object found.' : `Can't use ${what} outside of an object.`;
    throw new JsonnetError('static', message, { place: node.place });
  }
}
