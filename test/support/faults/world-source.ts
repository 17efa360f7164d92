import { sourceDocumentId } from '../../../src/documents/document-id.ts';
import { defaultBranch, parseSourceId } from '../../../src/core/ids.ts';
import type { Source } from '../../../src/core/source.ts';
import { sourceTopic } from '../../../src/core/topic-name.ts';
import type { DeliveryWorld } from './delivery-world.ts';

const key = { branchId: defaultBranch, sourceId: parseSourceId('shop') };
const never = { signal: new AbortController().signal };

/** The topic of the world's source. */
export const worldTopic = sourceTopic(key);

/** Of every source that is made here. */
export const worldSecret = 'x'.repeat(48);

/** Writes the document of the world's source, as the API would have made it. */
export async function addWorldSource(world: DeliveryWorld, changes: Partial<Source> = {}): Promise<Source> {
  const stamp = { at: new Date(world.clock.now()).toISOString(), by: { type: 'system' } } as const;
  const found = await world.ports.sourceLog.describeTopic(worldTopic, never);
  const source: Source = {
    ...key,
    type: 'http',
    name: 'Shop',
    description: '',
    secrets: [{ text: worldSecret }],
    settings: {},
    version: { ...stamp, number: 1, hash: '0123456789abcdef', description: '' },
    created: stamp,
    topic: worldTopic,
    topicIdentity: found?.identity ?? 'none',
    partitions: world.partitions,
    incarnation: 1,
    ...changes,
  };
  await world.put('source', sourceDocumentId(key), source);
  return source;
}
