import type { Evaluation } from '../../jsonnet/evaluation.ts';
import { typeName, type Value } from '../../jsonnet/values/value.ts';

/** An argument that must be a string when it is given. */
export interface TextParameter {
  readonly call: string;
  readonly parameter: string;
}

/** The string; the refusal of anything else names function and parameter, as those of `std` do. */
export function textArgument(value: Value | undefined, which: TextParameter, evaluation: Evaluation): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  throw evaluation.error(notText(value, which) ?? '');
}

/** Why a value is no such argument, undefined when it is one. */
export function notText(value: Value | undefined, { call, parameter }: TextParameter): string | undefined {
  if (value === undefined || typeof value === 'string') return undefined;
  return `${call}: argument "${parameter}": Unexpected type ${typeName(value)}, expected string`;
}
