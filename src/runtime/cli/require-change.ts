import { MillraceError } from '../../core/millrace-error.ts';

/** The fields that are given; `input.invalid` when there is none, naming what could have been. */
export function requireChange(fields: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (given.length > 0) return Object.fromEntries(given);
  const options = Object.keys(fields).map(
    (field) => `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  throw new MillraceError('input.invalid', `Nothing to change: give at least one of ${options.join(', ')}.`);
}
