import type { Visibility } from '../values/layer.ts';
import type { Binding, Check, FieldNode, Node, ObjectComprehensionNode, ObjectNode } from './node.ts';
import { parseClauses } from './parse-clauses.ts';
import { functionNode, parseBinding, parseParameters } from './parse-function.ts';
import type { Token } from './token.ts';
import { between, type TokenStream } from './token-stream.ts';

interface Members {
  readonly locals: Binding[];
  readonly asserts: Check[];
  readonly fields: FieldNode[];
  readonly names: Set<string>;
}

/** An object or an object comprehension up to and with `}`; `{` was taken. */
export function parseObject(stream: TokenStream, open: Token): ObjectNode | ObjectComprehensionNode {
  const members: Members = { locals: [], asserts: [], fields: [], names: new Set() };
  let separated = true;
  for (;;) {
    const token = stream.peek();
    if (stream.accept('}')) {
      const { locals, asserts, fields } = members;
      return { kind: 'object', locals, asserts, fields, place: between(open.place, token.place) };
    }
    if (stream.sees('for')) return comprehension(stream, open, members);
    if (!separated) throw stream.unexpected('Expected a comma before next field, got');
    parseMember(stream, members);
    separated = stream.accept(',');
  }
}

function parseMember(stream: TokenStream, members: Members): void {
  const { place } = stream.peek();
  if (stream.accept('local')) {
    members.locals.push(parseBinding(stream, members.locals));
  } else if (stream.accept('assert')) {
    members.asserts.push(parseCheck(stream));
  } else {
    const field = parseField(stream);
    const isFixed = field.name.place === place;
    if (isFixed) refuseDuplicate(stream, field, members);
    members.fields.push(field);
  }
}

/** Fixed names may not come twice; computed ones are compared when the object is made. */
function refuseDuplicate(stream: TokenStream, field: FieldNode, { names }: Members): void {
  const name = field.name.kind === 'literal' ? String(field.name.value) : '';
  if (names.has(name)) throw stream.refuse(`Duplicate field: ${name}`, field.name.place);
  names.add(name);
}

/** The condition and message of an assert; `assert` was taken. */
export function parseCheck(stream: TokenStream): Check {
  const condition = stream.expression();
  const message = stream.accept(':') ? stream.expression() : undefined;
  return { condition, message, place: between(condition.place, (message ?? condition).place) };
}

function parseField(stream: TokenStream): FieldNode {
  const first = stream.peek();
  const name = parseFieldName(stream);
  const parameters = stream.sees('(') ? parseParameters(stream) : undefined;
  const { plus, visibility } = parseColons(stream);
  if (plus && parameters !== undefined) {
    throw stream.refuse(`Cannot use +: syntax sugar in a method: ${first.text}`, first.place);
  }
  const body = stream.expression();
  const value = parameters === undefined ? body : functionNode(parameters, body);
  return { name, visibility, plus, value, place: between(first.place, body.place) };
}

function parseFieldName(stream: TokenStream): Node {
  const token = stream.peek();
  if (token.kind === 'name' || token.kind === 'string') {
    stream.next();
    return { kind: 'literal', value: token.text, place: token.place };
  }
  if (!stream.accept('[')) throw stream.unexpected('Unexpected in a field definition:');
  const name = stream.expression();
  stream.expect(']');
  return name;
}

function parseColons(stream: TokenStream): { readonly plus: boolean; readonly visibility: Visibility } {
  const { kind, text } = stream.peek();
  const colons = text.startsWith('+') ? text.slice(1) : text;
  const visibility = kind === 'operator' ? visibilityOf(colons) : undefined;
  if (visibility === undefined) throw stream.unexpected('Expected one of :, ::, :::, +:, +::, +:::, got');
  stream.next();
  return { plus: colons !== text, visibility };
}

function visibilityOf(colons: string): Visibility | undefined {
  if (colons === ':') return 'inherit';
  if (colons === '::') return 'hidden';
  return colons === ':::' ? 'shown' : undefined;
}

function comprehension(stream: TokenStream, open: Token, members: Members): ObjectComprehensionNode {
  const [field] = members.fields;
  const { place } = stream.peek();
  if (members.asserts.length > 0) throw stream.refuse('Object comprehension cannot have asserts', place);
  if (field === undefined || members.fields.length > 1) {
    throw stream.refuse('Object comprehension can only have one field', place);
  }
  if (field.visibility !== 'inherit') {
    throw stream.refuse('Object comprehensions cannot have hidden fields', field.place);
  }
  if (members.names.size > 0) throw stream.refuse('Object comprehensions can only have [e] fields', field.place);
  const clauses = parseClauses(stream, '}');
  const last = clauses.at(-1)?.place ?? place;
  return { kind: 'objectComprehension', locals: members.locals, field, clauses, place: between(open.place, last) };
}
