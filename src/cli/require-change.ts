import { MillraceError } from '../core/millrace-error.ts';

/** The same fields; `input.invalid` when all are undefined, naming what could have been. */
export function requireChange<Fields extends object>(fields: Fields): Fields {
  if (Object.values(fields).some((value) => value !== undefined)) return fields;
  const options = Object.keys(fields).map(
    (field) => `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  throw new MillraceError('input.invalid', `Nothing to change: give at least one of ${options.join(', ')}.`);
}
