import { sentence, type Finding } from '../../core/finding.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { RegistryClient } from './client.ts';
import type { SchemaRegistryOptions } from './config.ts';
import { fromRegistry } from './errors.ts';

/** An id that no registry gives before all others are used up. */
const improbableId = 2_147_483_647;

const formats = ['AVRO', 'JSON', 'PROTOBUF'];

/** Asks the registry what mapping asks it. What is wrong is a finding; rejects with the signal's reason and for `config.invalid`. */
export async function checkSchemaRegistry(
  options: SchemaRegistryOptions,
  { signal }: Waiting,
): Promise<readonly Finding[]> {
  using client = new RegistryClient(options);
  try {
    await client.get(`/schemas/ids/${improbableId}`, { signal });
    const types = await client.get('/schemas/types', { signal });
    return [
      { kind: 'good', about: 'connection', text: 'The registry answers, and schemas may be read.' },
      formatFinding(types),
      ...encryptionFindings(options),
    ];
  } catch (thrown) {
    signal.throwIfAborted();
    return [{ kind: 'bad', about: 'connection', text: sentence(fromRegistry(thrown).message) }];
  }
}

function formatFinding(types: unknown): Finding {
  const missing = formats.filter((format) => !(Array.isArray(types) && types.includes(format)));
  if (missing.length === 0)
    return { kind: 'good', about: 'formats', text: 'It has schemas of Avro, JSON Schema and Protobuf.' };
  return { kind: 'advice', about: 'formats', text: `It says nothing of schemas of ${missing.join(', ')}.` };
}

function encryptionFindings({ url, username }: SchemaRegistryOptions): readonly Finding[] {
  if (username === undefined || url.startsWith('https:')) return [];
  const text = 'User and password go to the registry in plain text; use https.';
  return [{ kind: 'advice', about: 'encryption', text }];
}
