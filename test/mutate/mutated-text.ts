import { stripTypeScriptTypes } from 'node:module';
import type { Mutation } from './mutation.ts';

/** A mutation that says nothing about its rule, because the list is wrong. */
export class ListFault extends Error {}

/** The text of the file with the mutation in it. */
export function mutatedText(original: string, { from, to, file }: Mutation): string {
  const count = original.split(from).length - 1;
  if (count !== 1) throw new ListFault(`"from" stands ${count} times in ${file}`);
  const [before = '', after = ''] = original.split(from);
  const mutated = before + to + after;
  if (file.endsWith('.ts') && codeOf(original, file) === codeOf(mutated, file))
    throw new ListFault(`"to" changes nothing that runs in ${file}`);
  return mutated;
}

/** What is left without types and spaces: what a change of types does not reach. */
function codeOf(text: string, file: string): string {
  try {
    return stripTypeScriptTypes(text).replaceAll(/\s+/g, ' ');
  } catch (thrown) {
    throw new ListFault(`"to" makes a syntax error in ${file}: ${String(thrown)}`);
  }
}
