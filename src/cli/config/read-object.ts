import { text } from 'node:stream/consumers';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { readWhole } from '../jsonnet/template-event.ts';
import type { Terminal } from '../terminal.ts';

/** The JSON text of an object out of a file, `-` for standard input, as it is written there; undefined without a file. */
export async function readObject(
  { stdin }: Pick<Terminal, 'stdin'>,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const source = file === '-' ? await text(stdin) : (await readWhole(file)).toString();
  const value = parsed(file, source);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return source;
  throw new MillraceError('input.invalid', `${named(file)} must hold a JSON object: the configuration of a component.`);
}

function parsed(file: string, source: string): unknown {
  try {
    return parseJsonText(source);
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `${named(file)} is no JSON: ${message}`, { cause: thrown });
  }
}

function named(file: string): string {
  return file === '-' ? 'stdin' : file;
}
