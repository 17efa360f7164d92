import protobuf from 'protobufjs';
import { parseJsonText } from '../../core/parse-json-text.ts';
import type { SchemaFormat } from '../../ports/schema-registry.ts';
import { parseAvroSchema, type LogicalReads } from './avro-logical.ts';
import { avroValue, checkAvro } from './avro-writer.ts';
import { protobufSchema } from './protobuf-schema.ts';
import { protobufValue } from './protobuf-writer.ts';
import { isObject, shown } from './unfit.ts';

/** What is known of a schema's values beyond what the library does with them. */
export interface SchemaShape {
  /** The message of a file of Protobuf that is written: its first one. */
  readonly message?: string;
  /** What the library encodes; throws `Unfit`. */
  readonly valueOf: (json: unknown) => object;
  /** The value of a record, of what the library made: its head, and what stands behind it. */
  readonly framed: (head: Uint8Array, encoded: Uint8Array, text: Uint8Array) => Uint8Array;
}

/** Throws what is wrong with the schema. */
export function schemaShape(text: string, format: SchemaFormat): SchemaShape {
  switch (format) {
    case 'avro':
      return avroShape(text);
    case 'protobuf':
      return protobufShape(text);
    case 'json-schema':
      checkDraft(parseJsonText(text));
      // The text stays as it was written, with all its digits.
      return { valueOf: (json) => json as object, framed: (head, _encoded, json) => Buffer.concat([head, json]) };
    default:
      return format satisfies never;
  }
}

/** The library knows one draft of JSON Schema, which is also what a schema without `$schema` is read as. */
function checkDraft(schema: unknown): void {
  const { $schema: draft } = isObject(schema) ? schema : {};
  if (draft === undefined || (typeof draft === 'string' && knownDraft.test(draft))) return;
  const advice = 'give "http://json-schema.org/draft-07/schema#", or leave it out';
  throw new Error(`field "$schema": ${shown(draft)} is no draft that is known, which draft-07 alone is: ${advice}`);
}

const knownDraft = /^http:\/\/json-schema\.org\/(?:draft-07\/)?schema#?$/;

function avroShape(text: string): SchemaShape {
  const reads: LogicalReads = new WeakMap();
  const type = parseAvroSchema(parseJsonText(text) as Parameters<typeof parseAvroSchema>[0], { registry: {}, reads });
  return {
    valueOf: (json) => {
      const value = avroValue(type, json);
      checkAvro(type, value);
      return value as object;
    },
    framed: (head, encoded) => Buffer.concat([head, encoded]),
  };
}

/** The place of the first message in its file, which the library leaves out, and other readers want. */
const firstMessage = Buffer.of(0);

function protobufShape(text: string): SchemaShape {
  const { imports = [], weakImports = [] } = protobuf.parse(text);
  const [imported] = [...imports, ...weakImports];
  if (imported !== undefined) throw new Error(`it imports "${imported}", and a schema to send with stands alone`);
  const type = protobufSchema(text, []).message([0]);
  if (type === undefined) throw new Error('it has no message');
  return {
    message: type.name,
    valueOf: (json) => protobufValue(type, json),
    framed: (head, encoded) => Buffer.concat([head, firstMessage, encoded]),
  };
}
