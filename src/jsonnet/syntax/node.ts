import type { Place } from '../place.ts';
import type { Visibility } from '../values/layer.ts';

/** The tree of a template, as written but for: parentheses, `e.name` (an index with a string), `e {…}` (`e + {…}`). */
export type Node =
  | LiteralNode
  | SelfNode
  | DollarNode
  | SuperIndexNode
  | InSuperNode
  | VariableNode
  | IndexNode
  | SliceNode
  | CallNode
  | UnaryNode
  | BinaryNode
  | IfNode
  | LocalNode
  | FunctionNode
  | ErrorNode
  | AssertNode
  | ArrayNode
  | ArrayComprehensionNode
  | ObjectNode
  | ObjectComprehensionNode;

interface Placed {
  readonly place: Place;
}

interface LiteralNode extends Placed {
  readonly kind: 'literal';
  readonly value: null | boolean | number | string;
}

export interface SelfNode extends Placed {
  readonly kind: 'self';
}

export interface DollarNode extends Placed {
  readonly kind: 'dollar';
}

export interface SuperIndexNode extends Placed {
  readonly kind: 'superIndex';
  readonly index: Node;
}

export interface InSuperNode extends Placed {
  readonly kind: 'inSuper';
  readonly index: Node;
}

interface VariableNode extends Placed {
  readonly kind: 'variable';
  readonly name: string;
}

export interface IndexNode extends Placed {
  readonly kind: 'index';
  readonly target: Node;
  readonly index: Node;
}

export interface SliceNode extends Placed {
  readonly kind: 'slice';
  readonly target: Node;
  readonly from: Node | undefined;
  readonly to: Node | undefined;
  readonly step: Node | undefined;
}

export interface CallNode extends Placed {
  readonly kind: 'call';
  readonly target: Node;
  readonly positional: readonly Node[];
  readonly named: readonly NamedArgument[];
  readonly tailstrict: boolean;
}

export interface NamedArgument {
  readonly name: string;
  readonly value: Node;
}

export type UnaryOperator = '+' | '-' | '!' | '~';

export interface UnaryNode extends Placed {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Node;
}

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||';

export interface BinaryNode extends Placed {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}

export interface IfNode extends Placed {
  readonly kind: 'if';
  readonly condition: Node;
  readonly whenTrue: Node;
  readonly whenFalse: Node | undefined;
}

/** A name and what it stands for, of `local`, in an object or before an expression. */
export interface Binding extends Placed {
  readonly name: string;
  readonly value: Node;
}

export interface LocalNode extends Placed {
  readonly kind: 'local';
  readonly bindings: readonly Binding[];
  readonly body: Node;
}

export interface ParameterNode extends Placed {
  readonly name: string;
  readonly fallback: Node | undefined;
}

export interface FunctionNode extends Placed {
  readonly kind: 'function';
  readonly parameters: readonly ParameterNode[];
  readonly body: Node;
}

export interface ErrorNode extends Placed {
  readonly kind: 'error';
  readonly message: Node;
}

/** The condition and the message of an assert. */
export interface Check extends Placed {
  readonly condition: Node;
  readonly message: Node | undefined;
}

export interface AssertNode extends Placed {
  readonly kind: 'assert';
  readonly check: Check;
  readonly rest: Node;
}

export interface ArrayNode extends Placed {
  readonly kind: 'array';
  readonly elements: readonly Node[];
}

/** `for name in items` or `if condition`; a comprehension begins with the first. */
export type Clause =
  | { readonly kind: 'for'; readonly name: string; readonly items: Node; readonly place: Place }
  | { readonly kind: 'if'; readonly condition: Node; readonly place: Place };

export interface ArrayComprehensionNode extends Placed {
  readonly kind: 'arrayComprehension';
  readonly body: Node;
  readonly clauses: readonly Clause[];
}

export interface FieldNode extends Placed {
  /** A literal for `name:` and `"name":`, any expression for `[name]:`. */
  readonly name: Node;
  readonly visibility: Visibility;
  readonly plus: boolean;
  readonly value: Node;
}

export interface ObjectNode extends Placed {
  readonly kind: 'object';
  readonly locals: readonly Binding[];
  readonly asserts: readonly Check[];
  readonly fields: readonly FieldNode[];
}

export interface ObjectComprehensionNode extends Placed {
  readonly kind: 'objectComprehension';
  readonly locals: readonly Binding[];
  readonly field: FieldNode;
  readonly clauses: readonly Clause[];
}
