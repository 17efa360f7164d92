import { readFile } from 'node:fs/promises';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { whyUnread } from '../../core/why-unread.ts';
import type { AskedTopic } from '../../runtime/product.ts';

const formats = { '.avsc': 'avro', '.json': 'json-schema', '.proto': 'protobuf' } as const;

/** A schema, whose format the name of its file says. */
export async function readSchemaFile(path: string): Promise<NonNullable<AskedTopic['schema']>> {
  const format = Object.entries(formats).find(([ending]) => path.endsWith(ending))?.[1];
  if (format === undefined)
    throw new MillraceError(
      'input.invalid',
      `--schema "${path}": the name must end with .avsc (Avro), .json (JSON Schema) or .proto (Protobuf).`,
    );
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new MillraceError('input.invalid', `--schema "${path}" cannot be read: ${whyUnread(thrown)}.`);
  });
  if (text.length <= limits.schemaBytes) return { format, text };
  throw new MillraceError('input.invalid', `--schema "${path}" is over ${limits.schemaBytes} bytes.`);
}
