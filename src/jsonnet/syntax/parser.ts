import type { BinaryOperator, Node, UnaryOperator } from './node.ts';
import { functionNode, parseBinding, parseParameters } from './parse-function.ts';
import { parseCheck } from './parse-object.ts';
import { maxChain, parsePostfix } from './parse-postfix.ts';
import { tokenize } from './lexer.ts';
import { SourceText } from './source-text.ts';
import { between, TokenStream } from './token-stream.ts';

/** The tree of a template. Throws static errors; too deep nesting is one. */
export function parse(text: string): Node {
  const source = new SourceText(text);
  const tokens = tokenize(source);
  const end = { kind: 'end', text: '', place: source.place(text.length, text.length) } as const;
  const stream = new TokenStream(tokens, end, parseExpression);
  const node = stream.expression();
  if (stream.peek().kind !== 'end') throw stream.unexpected('Did not expect:');
  return node;
}

/** Binary operators by how strongly they bind, the strongest lowest; all of them bind to the left. */
const levels: Readonly<Record<BinaryOperator, number>> = {
  '*': 1,
  '/': 1,
  '%': 1,
  '+': 2,
  '-': 2,
  '<<': 3,
  '>>': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  in: 4,
  '==': 5,
  '!=': 5,
  '&': 6,
  '^': 7,
  '|': 8,
  '&&': 9,
  '||': 10,
};

const weakest = 10;

function parseExpression(stream: TokenStream): Node {
  return parseOpen(stream) ?? parseBinary(stream, weakest);
}

function parseBinary(stream: TokenStream, weakestTaken: number): Node {
  let left = parseUnary(stream);
  for (let length = 0; ; length++) {
    const operator = peekOperator(stream);
    if (operator === undefined || levels[operator] > weakestTaken) return left;
    if (length > maxChain) throw stream.refuse(`A chain of more than ${maxChain} operators`, left.place);
    stream.next();
    if (operator === 'in' && stream.sees('super') && !stream.sees('.', 1) && !stream.sees('[', 1)) {
      left = { kind: 'inSuper', index: left, place: between(left.place, stream.next().place) };
      continue;
    }
    const right = parseBinary(stream, levels[operator] - 1);
    left = { kind: 'binary', operator, left, right, place: between(left.place, right.place) };
  }
}

function peekOperator(stream: TokenStream): BinaryOperator | undefined {
  const { kind, text } = stream.peek();
  if (kind !== 'operator') return kind === 'keyword' && text === 'in' ? 'in' : undefined;
  if (text === ':' || text === '::') return undefined;
  if (!isBinary(text)) throw stream.unexpected('Not a binary operator:');
  return text;
}

function isBinary(text: string): text is BinaryOperator {
  return Object.hasOwn(levels, text);
}

/** Goes down a run of unary operators without nesting calls. */
function parseUnary(stream: TokenStream): Node {
  const operators: { operator: UnaryOperator; at: Node['place'] }[] = [];
  while (stream.peek().kind === 'operator' && isUnary(stream.peek().text)) {
    const { text, place } = stream.next();
    if (isUnary(text)) operators.push({ operator: text, at: place });
    if (operators.length > maxChain) throw stream.refuse(`A chain of more than ${maxChain} operators`, place);
  }
  let node = parseOpen(stream) ?? parsePostfix(stream);
  for (const { operator, at } of operators.toReversed()) {
    node = { kind: 'unary', operator, operand: node, place: between(at, node.place) };
  }
  return node;
}

function isUnary(text: string): text is UnaryOperator {
  return text === '-' || text === '!' || text === '+' || text === '~';
}

/** What goes on as far as it can: `local`, `if`, `function`, `error`, `assert`; `undefined` before all else. */
function parseOpen(stream: TokenStream): Node | undefined {
  const { kind, text } = stream.peek();
  if (kind !== 'keyword') return undefined;
  switch (text) {
    case 'local':
      return parseLocal(stream);
    case 'if':
      return parseIf(stream);
    case 'function':
      return parseFunction(stream);
    case 'error':
      return parseError(stream);
    case 'assert':
      return parseAssert(stream);
    case 'import':
    case 'importstr':
    case 'importbin':
      throw stream.refuse('imports are not enabled', stream.peek().place);
    default:
      return undefined;
  }
}

function parseLocal(stream: TokenStream): Node {
  const { place } = stream.next();
  const bindings = [parseBinding(stream, [])];
  while (stream.accept(',')) bindings.push(parseBinding(stream, bindings));
  if (!stream.accept(';')) throw stream.unexpected('Expected , or ; but got');
  const body = stream.expression();
  return { kind: 'local', bindings, body, place: between(place, body.place) };
}

function parseIf(stream: TokenStream): Node {
  const { place } = stream.next();
  const condition = stream.expression();
  stream.expect('then');
  const whenTrue = stream.expression();
  const whenFalse = stream.accept('else') ? stream.expression() : undefined;
  return { kind: 'if', condition, whenTrue, whenFalse, place: between(place, (whenFalse ?? whenTrue).place) };
}

function parseFunction(stream: TokenStream): Node {
  const { place } = stream.next();
  const parameters = parseParameters(stream);
  const node = functionNode(parameters, stream.expression());
  return { ...node, place: between(place, node.place) };
}

function parseError(stream: TokenStream): Node {
  const { place } = stream.next();
  const message = stream.expression();
  return { kind: 'error', message, place: between(place, message.place) };
}

function parseAssert(stream: TokenStream): Node {
  const { place } = stream.next();
  const check = parseCheck(stream);
  stream.expect(';');
  const rest = stream.expression();
  return { kind: 'assert', check, rest, place: between(place, rest.place) };
}
