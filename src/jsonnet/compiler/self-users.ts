import type { Binding, Check, Clause, FieldNode, Node } from '../syntax/node.ts';

/** The objects of a template whose `self`, `super` or `$` is used; all others need no frame of their own. */
export function selfUsers(root: Node): ReadonlySet<Node> {
  const users = new Set<Node>();
  visit(root, { users, self: undefined, dollar: undefined });
  return users;
}

interface Around {
  readonly users: Set<Node>;
  readonly self: Node | undefined;
  readonly dollar: Node | undefined;
}

function visit(node: Node | undefined, around: Around): void {
  if (node === undefined) return;
  switch (node.kind) {
    case 'self':
      return mark(around.self, around);
    case 'dollar':
      return mark(around.dollar, around);
    case 'superIndex':
    case 'inSuper':
      mark(around.self, around);
      return visit(node.index, around);
    case 'object':
      return visitObject(node, [node.locals, node.asserts, node.fields], around);
    case 'objectComprehension':
      visitClauses(node.clauses, around);
      // Each field is bound to the step that made it, so it always has a frame.
      around.users.add(node);
      return visitObject(node, [node.locals, [], [node.field]], around);
    case 'arrayComprehension':
      visitClauses(node.clauses, around);
      return visit(node.body, around);
    default:
      for (const child of children(node)) visit(child, around);
  }
}

function mark(object: Node | undefined, { users }: Around): void {
  if (object !== undefined) users.add(object);
}

type Members = readonly [readonly Binding[], readonly Check[], readonly FieldNode[]];

function visitObject(object: Node, [locals, asserts, fields]: Members, around: Around): void {
  const inside = { ...around, self: object, dollar: around.dollar ?? object };
  for (const { value } of locals) visit(value, inside);
  for (const { condition, message } of asserts) {
    visit(condition, inside);
    visit(message, inside);
  }
  for (const { name, value } of fields) {
    visit(name, around);
    visit(value, inside);
  }
}

function visitClauses(clauses: readonly Clause[], around: Around): void {
  for (const clause of clauses) visit(clause.kind === 'for' ? clause.items : clause.condition, around);
}

type Plain = Exclude<
  Node,
  { kind: 'self' | 'dollar' | 'superIndex' | 'inSuper' | 'object' | 'objectComprehension' | 'arrayComprehension' }
>;

function children(node: Plain): readonly (Node | undefined)[] {
  switch (node.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'index':
      return [node.target, node.index];
    case 'slice':
      return [node.target, node.from, node.to, node.step];
    case 'call':
      return [node.target, ...node.positional, ...node.named.map(({ value }) => value)];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'if':
      return [node.condition, node.whenTrue, node.whenFalse];
    case 'local':
      return [...node.bindings.map(({ value }) => value), node.body];
    case 'function':
      return [...node.parameters.map(({ fallback }) => fallback), node.body];
    case 'error':
      return [node.message];
    case 'assert':
      return [node.check.condition, node.check.message, node.rest];
    case 'array':
      return node.elements;
    default:
      return node satisfies never;
  }
}
