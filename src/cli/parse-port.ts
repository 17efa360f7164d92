import { InvalidArgumentError } from 'commander';
import { port } from '../config/primitives.ts';

/** The port of an option, as it was typed: what is wrong is said of the option, not of the variable that it stands for. */
export function parsePort(text: string): string {
  const { rule, schema } = port();
  if (text.trim() === '' || schema.safeParse(text).success) return text;
  throw new InvalidArgumentError(`It must be ${rule}.`);
}
