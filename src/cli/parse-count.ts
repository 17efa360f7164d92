import { InvalidArgumentError } from 'commander';

/** A parser of an option's whole number from 1 to `max`. */
export function parseCount(option: string, max: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`${option} must be a whole number from 1 to ${max}.`);
  };
}
