import type avro from 'avsc';
import { isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { shortened } from '../../core/shortened.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Decoder, SchemaFormat, SchemaLookup, SchemaRegistry } from '../../ports/schema-registry.ts';
import { parseAvroSchema, type LogicalReads } from './avro-logical.ts';
import { avroReader } from './avro-reader.ts';
import { RegistryClient } from './client.ts';
import type { SchemaRegistryOptions } from './config.ts';
import { readJson } from './json-reader.ts';
import { protobufReader } from './protobuf-reader.ts';
import { protobufSchema } from './protobuf-schema.ts';
import { registeredSchema, type RegisteredSchema } from './registered-schema.ts';

/** A registry that is asked when a schema is looked for; keeps nothing. `config.invalid` for options that cannot be. */
export function openSchemaRegistry(options: SchemaRegistryOptions): SchemaRegistry {
  const client = new RegistryClient(options);
  return {
    find: (id, format, waiting) => find(client, { id, format }, waiting),
    [Symbol.asyncDispose]: async () => client[Symbol.dispose](),
  };
}

async function find(
  client: RegistryClient,
  asked: { readonly id: number; readonly format: SchemaFormat },
  options: Waiting,
): Promise<SchemaLookup> {
  try {
    const schema = await registeredSchema(client, asked, options);
    const bytes = schema.references.reduce((sum, referred) => sum + referred.text.length, schema.text.length);
    return { kind: 'schema', decode: safely(readerOf(schema, asked.format)), bytes };
  } catch (thrown) {
    if (thrown instanceof MillraceError || isCancellation(thrown)) throw thrown;
    options.signal.throwIfAborted();
    // Whatever the makers of readers throw, they throw for what stands in the schema.
    return { kind: 'unusable', problem: problemOf(thrown) };
  }
}

type Reader = (payload: Uint8Array) => Uint8Array;

function readerOf({ text, references }: RegisteredSchema, format: SchemaFormat): Reader {
  switch (format) {
    case 'avro': {
      const registry = {};
      const reads: LogicalReads = new WeakMap();
      for (const referred of references) parseAvroSchema(parseAvro(referred.text), { registry, reads });
      return avroReader(parseAvroSchema(parseAvro(text), { registry, reads }), reads);
    }
    case 'protobuf':
      return protobufReader(protobufSchema(text, references));
    case 'json-schema':
      return readJson;
    default:
      return format satisfies never;
  }
}

/** A name alone, such as `"string"`, is a schema, too; some registries give it without quotes. */
function parseAvro(text: string): avro.Schema {
  return (/^\s*[[{"]/.test(text) ? parseJsonText(text) : text.trim()) as avro.Schema;
}

/** Whatever a reader throws, it throws for what stands in the value: also a stack that was too small for it. */
function safely(read: Reader): Decoder {
  return (payload) => {
    try {
      return { kind: 'json', text: read(payload) };
    } catch (thrown) {
      return { kind: 'undecodable', problem: problemOf(thrown) };
    }
  };
}

function problemOf(thrown: unknown): string {
  return shortened(messageOf(thrown), 300);
}
