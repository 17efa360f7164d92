import type { Builtin } from '../std/builtin.ts';
import type { Node } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import type { Value } from '../values/value.ts';
import { Context } from './context.ts';
import { FrameLayout } from './frame-layout.ts';
import { lazyCode } from './lazy-code.ts';
import { Names, type Meaning } from './names.ts';
import { nodeCode } from './node-code.ts';
import { selfUsers } from './self-users.ts';

/** What stands outside of the text: functions that are called directly, and the values of the outermost names. */
export interface Outside {
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly natives: ReadonlyMap<string, Builtin>;
  readonly values: ReadonlyMap<string, () => Value>;
}

/** A tree as a closure, and the frame it needs. Throws static errors. */
export function compileProgram(tree: Node, outside: Outside): { readonly code: Code; readonly layout: FrameLayout } {
  const layout = new FrameLayout(undefined);
  const { builtins, natives } = outside;
  const own = new Map<string, Meaning>();
  for (const [name, value] of outside.values) own.set(name, { kind: 'host', name, value });
  const context = new Context({
    program: { code: nodeCode, lazy: lazyCode, builtins, natives, selfUsers: selfUsers(tree) },
    frame: layout,
    names: new Names(own),
    self: undefined,
    dollar: undefined,
    isTail: false,
    unset: new Set(),
  });
  return { code: context.code(tree), layout };
}
