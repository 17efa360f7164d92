import { JsonnetError } from '../jsonnet-error.ts';
import type { ErrorNode, Node } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import { arrayCode } from './array-code.ts';
import { callCode } from './call-code.ts';
import { assertCode } from './check-code.ts';
import { arrayComprehensionCode, objectComprehensionCode } from './comprehension-code.ts';
import { ifCode } from './condition-code.ts';
import type { Context } from './context.ts';
import { functionCode } from './function-code.ts';
import { indexCode, sliceCode } from './index-code.ts';
import { localCode } from './local-code.ts';
import { objectCode } from './object-code.ts';
import { binaryCode, unaryCode } from './operator-code.ts';
import { inSuperCode, selfCode, superCode } from './self-code.ts';
import { variableCode } from './variable-code.ts';

/** An expression as a closure that computes it. Throws static errors. */
export function nodeCode(node: Node, context: Context): Code {
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return variableCode(node, context);
    case 'self':
    case 'dollar':
      return selfCode(node, context);
    case 'superIndex':
      return superCode(node, context);
    case 'inSuper':
      return inSuperCode(node, context);
    case 'index':
      return indexCode(node, context);
    case 'slice':
      return sliceCode(node, context);
    case 'call':
      return callCode(node, context);
    case 'unary':
      return unaryCode(node, context);
    case 'binary':
      return binaryCode(node, context);
    case 'if':
      return ifCode(node, context);
    case 'local':
      return localCode(node, context);
    case 'function':
      return functionCode(node, context);
    case 'error':
      return errorCode(node, context);
    case 'assert':
      return assertCode(node, context);
    case 'array':
      return arrayCode(node, context);
    case 'arrayComprehension':
      return arrayComprehensionCode(node, context);
    case 'object':
      return objectCode(node, context);
    case 'objectComprehension':
      return objectComprehensionCode(node, context);
    default:
      return node satisfies never;
  }
}

/** `error message`: any value is put as text. */
function errorCode(node: ErrorNode, context: Context): Code {
  const message = context.code(node.message);
  const { place } = node;
  return (frame, evaluation) => {
    throw new JsonnetError('runtime', evaluation.toText(message(frame, evaluation)), { place });
  };
}
