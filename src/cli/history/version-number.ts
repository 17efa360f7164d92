import { InvalidArgumentError } from 'commander';

/** Reads the number of a version as a person types it. */
export function parseVersionNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('VERSION must be a number that "versions" lists, such as 3.');
}
