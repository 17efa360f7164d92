import { tmpdir } from 'node:os';
import { registerSchema } from '../../adapters/schema-registry/schema-encoder.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { Definitions } from '../../control/store/definitions.ts';
import { parseBranchId, type SourceId } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import { kafkaValueFormatKey } from '../../core/settings/millrace-settings.ts';
import type { Source } from '../../core/source.ts';
import type { EventLog, TopicDescription } from '../../ports/event-log.ts';
import type { SchemaEncoder } from '../../ports/schema-registry.ts';
import type { AskedTopic, SourceTopic } from '../product.ts';
import type { Opening } from '../stores/store-row.ts';
import { storesOf } from '../stores/stores.ts';
import { WritableTopic } from './writable-topic.ts';

/** What `Product.openSourceTopic` promises. */
export async function openSourceTopic(asked: AskedTopic, signal: AbortSignal): Promise<SourceTopic> {
  const { topology } = asked;
  const opening: Opening = { clientId: 'millrace-send', tempDir: tmpdir(), signal };
  const source = await sourceIn(topology, asked, opening);
  checkFormat(source, asked);
  await using stack = new AsyncDisposableStack();
  const log = storesOf(topology).log;
  const { sourceLog, sinkLog } = await log.open(opening);
  stack.use(sourceLog);
  await sinkLog[Symbol.asyncDispose]();
  const topic = await topicOf(source, sourceLog, opening);
  const encoder = await encoderOf(source, asked, signal);
  return new WritableTopic({ log: sourceLog, topic, encoder, close: stack.move() });
}

async function sourceIn(
  topology: ClusterTopology,
  { branch, sourceId }: AskedTopic,
  opening: Opening,
): Promise<Source> {
  const key = { branchId: parseBranchId(branch), sourceId: sourceId as SourceId };
  await using catalog = await storesOf(topology).catalog.open({ ...opening, mustExist: true });
  const source = await new Definitions(catalog).source(key, opening);
  if (source.disabled === undefined) return source;
  throw new MillraceError(
    'input.invalid',
    `source "${sourceId}" is disabled: enable it before events are written to it`,
  );
}

/** Values that mapping would take for something else would all be dead letters. */
function checkFormat({ sourceId, settings }: Source, { schema }: AskedTopic): void {
  const taken = effectiveSettings(settings).kafkaValueFormat;
  const given = schema?.format ?? 'raw';
  if (taken === given) return;
  const must =
    schema === undefined
      ? `give --schema with a schema of that format, or set "${kafkaValueFormatKey}" to "raw"`
      : `set it to "${given}" first`;
  throw new MillraceError(
    'input.invalid',
    `source "${sourceId}" takes records with "${kafkaValueFormatKey}" "${taken}", and these are "${given}": ${must}`,
  );
}

async function topicOf(source: Source, log: EventLog, opening: Opening): Promise<TopicDescription> {
  const found = await log.describeTopic(source.topic, opening);
  if (found?.identity === source.topicIdentity) return found;
  if (found !== undefined)
    throw new MillraceError(
      'progress.topicChanged',
      `the topic "${source.topic}" is not the one that source "${source.sourceId}" made: the brokers are others, or it was made anew`,
    );
  throw new MillraceError(
    'log.topicNotFound',
    `the brokers of the topology have no topic "${source.topic}" of source "${source.sourceId}"`,
  );
}

async function encoderOf(
  { topic }: Source,
  { topology, schema }: AskedTopic,
  signal: AbortSignal,
): Promise<SchemaEncoder | undefined> {
  if (schema === undefined) return undefined;
  const { schemaRegistry } = topology;
  if (schemaRegistry !== undefined)
    return registerSchema(schemaRegistry, { ...schema, subject: `${topic}-value` }, { signal });
  throw new MillraceError('schemas.missing', 'the topology names no schema registry, which a schema is registered in');
}
