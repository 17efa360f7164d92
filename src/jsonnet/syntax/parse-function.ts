import type { Binding, FunctionNode, NamedArgument, Node, ParameterNode } from './node.ts';
import { between, type TokenStream } from './token-stream.ts';

/** `(a, b=1)` and what follows as the body after `separator` (none after `function`). */
export function parseParameters(stream: TokenStream): readonly ParameterNode[] {
  stream.expect('(');
  const parameters: ParameterNode[] = [];
  while (!stream.accept(')')) {
    if (parameters.length > 0) {
      if (!stream.accept(',')) throw stream.unexpected('Expected a comma before next function parameter, got');
      if (stream.accept(')')) break;
    }
    const name = stream.expectKind('name', 'a parameter name');
    if (parameters.some((parameter) => parameter.name === name.text)) {
      throw stream.refuse(`Duplicate parameter: ${name.text}`, name.place);
    }
    const fallback = stream.accept('=') ? stream.expression() : undefined;
    const place = fallback === undefined ? name.place : between(name.place, fallback.place);
    parameters.push({ name: name.text, fallback, place });
  }
  return parameters;
}

/** `name = value` or `name(parameters) = body`, of a `local`. */
export function parseBinding(stream: TokenStream, earlier: readonly Binding[]): Binding {
  const name = stream.expectKind('name', 'a name');
  if (earlier.some((binding) => binding.name === name.text)) {
    throw stream.refuse(`Duplicate local var: ${name.text}`, name.place);
  }
  const parameters = stream.sees('(') ? parseParameters(stream) : undefined;
  stream.expect('=');
  const body = stream.expression();
  const place = between(name.place, body.place);
  const value: Node = parameters === undefined ? body : functionNode(parameters, body);
  return { name: name.text, value, place };
}

export function functionNode(parameters: readonly ParameterNode[], body: Node): FunctionNode {
  return { kind: 'function', parameters, body, place: body.place };
}

export interface ParsedArguments {
  readonly positional: readonly Node[];
  readonly named: readonly NamedArgument[];
}

/** The arguments of a call up to and with `)`; `(` was taken. */
export function parseArguments(stream: TokenStream): ParsedArguments {
  const positional: Node[] = [];
  const named: NamedArgument[] = [];
  while (!stream.accept(')')) {
    if (positional.length + named.length > 0) {
      if (!stream.accept(',')) throw stream.unexpected('Expected a comma before next function argument, got');
      if (stream.accept(')')) break;
    }
    if (stream.peek().kind === 'name' && stream.sees('=', 1)) {
      const name = stream.next();
      stream.next();
      if (named.some((argument) => argument.name === name.text)) {
        throw stream.refuse(`Argument ${name.text} already provided`, name.place);
      }
      named.push({ name: name.text, value: stream.expression() });
      continue;
    }
    const value = stream.expression();
    if (named.length > 0) {
      throw stream.refuse('Positional argument after a named argument is not allowed', value.place);
    }
    positional.push(value);
  }
  return { positional, named };
}
