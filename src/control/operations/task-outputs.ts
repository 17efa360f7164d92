import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { TaskOutputs } from '../../core/task.ts';
import type { ObjectAddresses } from '../addresses.ts';

export function sourceOutputs(addresses: ObjectAddresses, { branchId, sourceId }: SourceKey): TaskOutputs {
  return { url: addresses.source(branchId, sourceId), projectId: addresses.projectId, branchId, sourceId };
}

export function sinkOutputs(addresses: ObjectAddresses, key: SinkKey): TaskOutputs {
  return { ...sourceOutputs(addresses, key), url: addresses.sink(key, key.sinkId), sinkId: key.sinkId };
}
