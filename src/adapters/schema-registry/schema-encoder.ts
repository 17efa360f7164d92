import { isUtf8 } from 'node:buffer';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import { abortable } from '../../core/abortable.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { shortened } from '../../core/shortened.ts';
import type { Encoded, SchemaEncoder, SchemaText } from '../../ports/schema-registry.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { RegistryClient } from './client.ts';
import { defaultAnswerMs, type SchemaRegistryOptions } from './config.ts';
import { refusedSchema } from './errors.ts';
import { schemaShape, type SchemaShape } from './schema-shape.ts';
import { Unfit, unfitText } from './unfit.ts';

/**
 * Registers a schema under its subject, and encodes with it. A schema that is registered already keeps its id; the subject's rule of
 * compatibility stays as it is. `input.invalid` for a schema that cannot be read, or that the registry refuses; `schemas.unavailable`,
 * `schemas.refused`.
 */
export async function registerSchema(
  options: SchemaRegistryOptions,
  schema: SchemaText,
  { signal }: Waiting,
): Promise<SchemaEncoder> {
  using client = new RegistryClient(options);
  const shape = shapeOf(schema);
  const late = AbortSignal.timeout(options.answerMs ?? defaultAnswerMs);
  const config = await client.get(`/config/${encodeURIComponent(schema.subject)}`, { signal });
  const registry = new SchemaRegistry(
    {
      host: options.url,
      clientId: 'millrace',
      agent: client.agent,
      ...(options.username && { auth: { username: options.username, password: options.password?.reveal() ?? '' } }),
    },
    {
      [SchemaType.JSON]: { strict: false, logger: false, detailedErrorPaths: true },
      ...(shape.message && { [SchemaType.PROTOBUF]: { messageName: shape.message } }),
    },
  );
  const registering = registry.register(
    { type: types[schema.format], schema: schema.text },
    { subject: schema.subject, updateConfig: false, ...compatibilityOf(config) },
  );
  try {
    const { id } = await abortable(registering, AbortSignal.any([signal, late]));
    return { schemaId: id, encode: (text) => encode(registry, { id, shape }, text) };
  } catch (thrown) {
    signal.throwIfAborted();
    throw refusedSchema(thrown);
  }
}

const types = {
  avro: SchemaType.AVRO,
  'json-schema': SchemaType.JSON,
  protobuf: SchemaType.PROTOBUF,
} as const;

/** The library refuses to register under a subject whose rule is not the one that it is told, and has one of its own. */
function compatibilityOf(config: unknown): { readonly compatibility?: COMPATIBILITY } {
  const level = typeof config === 'object' && config !== null && 'compatibilityLevel' in config ? config : undefined;
  const compatibility = Object.values(COMPATIBILITY).find((one) => one === level?.compatibilityLevel);
  return compatibility === undefined ? {} : { compatibility };
}

function shapeOf({ text, format }: SchemaText): SchemaShape {
  try {
    return schemaShape(text, format);
  } catch (thrown) {
    throw new MillraceError('input.invalid', `the schema cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}

interface Registered {
  readonly id: number;
  readonly shape: SchemaShape;
}

/** A byte 0 and the id. */
const headBytes = 5;

async function encode(registry: SchemaRegistry, { id, shape }: Registered, text: Uint8Array): Promise<Encoded> {
  try {
    if (!isUtf8(text)) throw new Unfit([], 'it is not valid UTF-8');
    const value = shape.valueOf(parse(text));
    const encoded = await registry.encode(id, value);
    return { kind: 'value', value: shape.framed(encoded.subarray(0, headBytes), encoded.subarray(headBytes), text) };
  } catch (thrown) {
    return { kind: 'unfit', problem: problemOf(thrown) };
  }
}

function parse(text: Uint8Array): unknown {
  try {
    return parseJsonText(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
  } catch (thrown) {
    throw new Unfit([], `it is no JSON: ${messageOf(thrown)}`);
  }
}

function problemOf(thrown: unknown): string {
  if (thrown instanceof Unfit) return shortened(unfitText(thrown), longestProblem);
  return shortened([...pathsOf(thrown), messageOf(thrown)].join(': '), longestProblem);
}

const longestProblem = 300;

/** What the library says of JSON that does not fit its JSON Schema: pointers to fields with a message each. */
function pathsOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error) || !('paths' in thrown) || !Array.isArray(thrown.paths)) return [];
  return thrown.paths.map((found: unknown) => {
    const { path, message } = Object(found) as { readonly path?: unknown; readonly message?: unknown };
    const place = String(path).replace(/^\//, '').replaceAll('/', '.');
    return `${place === '' ? '' : `field "${place}" `}${String(message)}`;
  });
}
