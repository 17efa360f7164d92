import type { Evaluation } from '../../jsonnet/evaluation.ts';
import { typeName, type Value } from '../../jsonnet/values/value.ts';

/** An argument that must be a string when it is given; the refusal names function and parameter, as those of `std` do. */
export function textArgument(
  value: Value | undefined,
  { call, parameter }: { readonly call: string; readonly parameter: string },
  evaluation: Evaluation,
): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw evaluation.error(`${call}: argument "${parameter}": Unexpected type ${typeName(value)}, expected string`);
}
