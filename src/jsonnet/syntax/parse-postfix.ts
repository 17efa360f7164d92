import type { Node } from './node.ts';
import { parseClauses } from './parse-clauses.ts';
import { parseArguments } from './parse-function.ts';
import { parseObject } from './parse-object.ts';
import type { Token } from './token.ts';
import { between, type TokenStream } from './token-stream.ts';

/** A chain of calls, indexes and operators of one level may be so long. */
export const maxChain = 2000;

/** A terminal with what follows it: `.name`, `[index]`, `[from:to:step]`, `(arguments)`, `{…}`. */
export function parsePostfix(stream: TokenStream): Node {
  let node = parseTerminal(stream);
  for (let length = 0; ; length++) {
    const longer = parseSuffix(stream, node);
    if (longer === undefined) return node;
    if (length > maxChain) throw stream.refuse(`A chain of more than ${maxChain} calls and indexes`, longer.place);
    node = longer;
  }
}

function parseSuffix(stream: TokenStream, target: Node): Node | undefined {
  const token = stream.peek();
  if (token.kind !== 'symbol') return undefined;
  switch (token.text) {
    case '.': {
      stream.next();
      const name = stream.expectKind('name', 'a field name');
      return { kind: 'index', target, index: literal(name), place: between(target.place, name.place) };
    }
    case '[':
      stream.next();
      return parseBrackets(stream, target);
    case '(': {
      stream.next();
      const call = parseArguments(stream);
      const end = stream.peek(-1);
      const tailstrict = stream.accept('tailstrict');
      return { kind: 'call', target, ...call, tailstrict, place: between(target.place, end.place) };
    }
    case '{': {
      const right = parseObject(stream, stream.next());
      return { kind: 'binary', operator: '+', left: target, right, place: between(target.place, right.place) };
    }
    default:
      return undefined;
  }
}

function literal(token: Token): Node {
  return { kind: 'literal', value: token.text, place: token.place };
}

/** `[index]` or `[from:to:step]`, each part of which may be missing; `[` was taken. */
function parseBrackets(stream: TokenStream, target: Node): Node {
  const parts: (Node | undefined)[] = [undefined];
  while (!stream.sees(']')) {
    if (stream.accept(':')) parts.push(undefined);
    else if (stream.accept('::')) parts.push(undefined, undefined);
    else if (parts.at(-1) === undefined) parts[parts.length - 1] = stream.expression();
    else throw stream.unexpected('Expected token "]" but got');
    if (parts.length > 3) throw stream.refuse('Invalid slice: too many colons', stream.peek(-1).place);
  }
  const place = between(target.place, stream.next().place);
  const [from, to, step] = parts;
  if (parts.length > 1) return { kind: 'slice', target, from, to, step, place };
  if (from === undefined) throw stream.refuse('An index requires an expression', place);
  return { kind: 'index', target, index: from, place };
}

function parseTerminal(stream: TokenStream): Node {
  const token = stream.peek();
  const { place } = token;
  switch (token.kind) {
    case 'number':
      return { kind: 'literal', value: numberValue(stream), place };
    case 'string':
      return literal(stream.next());
    case 'name':
      stream.next();
      return { kind: 'variable', name: token.text, place };
    case 'keyword':
      return parseKeyword(stream);
    case 'symbol':
      return parseBracketed(stream);
    case 'operator':
      if (!stream.accept('$')) throw stream.unexpected('Not a unary operator:');
      return { kind: 'dollar', place };
    case 'end':
      throw stream.refuse('Unexpected end of file', place);
    default:
      return token.kind satisfies never;
  }
}

function numberValue(stream: TokenStream): number {
  const { text, place } = stream.next();
  const value = Number(text);
  if (!Number.isFinite(value)) throw stream.refuse(`Overflow. Number out of range: ${text}`, place);
  return value;
}

function parseKeyword(stream: TokenStream): Node {
  const { text, place } = stream.peek();
  switch (text) {
    case 'null':
      stream.next();
      return { kind: 'literal', value: null, place };
    case 'true':
    case 'false':
      stream.next();
      return { kind: 'literal', value: text === 'true', place };
    case 'self':
      stream.next();
      return { kind: 'self', place };
    case 'super':
      stream.next();
      return parseSuper(stream);
    default:
      throw stream.unexpected('Unexpected:');
  }
}

function parseSuper(stream: TokenStream): Node {
  const { place } = stream.peek(-1);
  if (stream.accept('.')) {
    const name = stream.expectKind('name', 'a field name');
    return { kind: 'superIndex', index: literal(name), place: between(place, name.place) };
  }
  if (!stream.accept('[')) throw stream.refuse('Expected . or [ after super', place);
  const index = stream.expression();
  return { kind: 'superIndex', index, place: between(place, stream.expect(']').place) };
}

function parseBracketed(stream: TokenStream): Node {
  const open = stream.peek();
  switch (open.text) {
    case '{':
      return parseObject(stream, stream.next());
    case '[':
      stream.next();
      return parseArray(stream, open);
    case '(': {
      stream.next();
      const inner = stream.expression();
      stream.expect(')');
      return inner;
    }
    default:
      throw stream.unexpected('Unexpected:');
  }
}

function parseArray(stream: TokenStream, open: Token): Node {
  const elements: Node[] = [];
  while (!stream.sees(']')) {
    if (elements.length > 0 && !stream.sees(',', -1)) {
      throw stream.unexpected('Expected a comma before next array element, got');
    }
    elements.push(stream.expression());
    stream.accept(',');
    const [body] = elements;
    if (elements.length === 1 && body !== undefined && stream.sees('for')) {
      const clauses = parseClauses(stream, ']');
      return { kind: 'arrayComprehension', body, clauses, place: between(open.place, stream.peek(-1).place) };
    }
  }
  return { kind: 'array', elements, place: between(open.place, stream.next().place) };
}
