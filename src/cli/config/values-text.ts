import { MillraceError } from '../../core/millrace-error.ts';
import { namedValue } from '../variables/named-value.ts';

/** The configuration of a row of values, of `--var name=value`; undefined without any. */
export function valuesText(given: { readonly var: readonly string[]; readonly file?: string }): string | undefined {
  if (given.var.length === 0) return undefined;
  if (given.file !== undefined)
    throw new MillraceError('input.invalid', 'Give values by --var or by --file, not both.');
  const values = new Map(given.var.map(namedValue));
  return JSON.stringify({ values: [...values].map(([name, value]) => ({ name, value })) });
}
