import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { SchemaFormat } from '../../ports/schema-registry.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { RegistryClient } from './client.ts';
import { notARegistry } from './errors.ts';
import { Undecodable } from './undecodable.ts';

const reference = z.object({ name: z.string(), subject: z.string(), version: z.number().int() });

const answer = z.object({
  schema: z.string(),
  /** Absent: Avro. */
  schemaType: z.string().optional(),
  references: z.array(reference).nullish(),
});

interface ReferredSchema {
  /** What the schema that refers to it calls it. */
  readonly name: string;
  readonly text: string;
}

/** A schema with all that it refers to, what is referred to before what refers to it. */
export interface RegisteredSchema {
  readonly text: string;
  readonly references: readonly ReferredSchema[];
}

const formats: Readonly<Record<string, SchemaFormat | undefined>> = {
  AVRO: 'avro',
  JSON: 'json-schema',
  PROTOBUF: 'protobuf',
};

/** Gets a schema from the registry. One that cannot serve is `Undecodable`. */
export async function registeredSchema(
  client: RegistryClient,
  { id, format }: { readonly id: number; readonly format: SchemaFormat },
  options: Waiting,
): Promise<RegisteredSchema> {
  const found = await client.get(`/schemas/ids/${id}`, options);
  if (found === undefined) throw new Undecodable('the registry does not know it');
  const { schema: text, schemaType = 'AVRO', references } = parseAnswer(found);
  if (formats[schemaType] !== format) throw new Undecodable(`it is ${schemaType}, and the source asks for ${format}`);
  const gathered = new Gathered(client, text.length);
  // The text of a JSON value is not checked against its schema.
  if (format !== 'json-schema') await gathered.add(references ?? [], options);
  return { text, references: gathered.references };
}

function parseAnswer(found: unknown): z.infer<typeof answer> {
  const parsed = answer.safeParse(found);
  if (parsed.success) return parsed.data;
  throw notARegistry('its answer holds no schema');
}

/** Schemas that are referred to, each once. */
class Gathered {
  readonly references: ReferredSchema[] = [];
  readonly #client: RegistryClient;
  readonly #seen = new Set<string>();
  #length: number;

  constructor(client: RegistryClient, length: number) {
    this.#client = client;
    this.#length = length;
    this.#check();
  }

  async add(references: readonly z.infer<typeof reference>[], options: Waiting): Promise<void> {
    for (const { name, subject, version } of references) {
      const key = JSON.stringify([name, subject, version]);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      const found = await this.#client.get(`/subjects/${encodeURIComponent(subject)}/versions/${version}`, options);
      if (found === undefined) throw new Undecodable(`it refers to version ${version} of a subject that is not there`);
      const referred = parseAnswer(found);
      this.#length += referred.schema.length;
      this.#check();
      await this.add(referred.references ?? [], options);
      this.references.push({ name, text: referred.schema });
    }
  }

  #check(): void {
    if (this.#length > limits.schemaBytes)
      throw new Undecodable(`with all that it refers to it is over ${limits.schemaBytes} bytes`);
    if (this.#seen.size > limits.schemaReferences)
      throw new Undecodable(`it refers to more than ${limits.schemaReferences} schemas`);
  }
}
