import { MillraceError } from '../../core/millrace-error.ts';

/** Name and value of an option `--var name=value`. */
export function namedValue(given: string): readonly [string, string] {
  const at = given.indexOf('=');
  if (at < 1) throw new MillraceError('input.invalid', `--var ${given}: it must be name=value.`);
  return [given.slice(0, at), given.slice(at + 1)];
}
