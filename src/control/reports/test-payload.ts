import type { SourceKey } from '../../core/ids.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { ShownTest } from '../trials/trials.ts';
import { payloadEvents, type IngestRules, type Payload } from './payload-events.ts';

type TestPayloadParts = Pick<Parts, 'addresses' | 'clock' | 'definitions' | 'trials'>;

/** Maps the events of a payload by every sink of the source, disabled ones included; nothing is stored. */
export async function testPayload(
  parts: TestPayloadParts,
  { key, payload, rules }: { readonly key: SourceKey; readonly payload: Payload; readonly rules: IngestRules },
  options: Waiting,
): Promise<ShownTest> {
  const source = await parts.definitions.source(key, options);
  const events = await payloadEvents(parts.clock, { source, payload, rules }, options);
  const sinks = (await parts.definitions.sinks(key, options)).map(
    ({ sinkId, disabled, table: { tableId, columns }, incarnation, mappingVersion, allowedSignals }) => ({
      sinkId,
      isDisabled: disabled !== undefined,
      mapping: { incarnation, version: mappingVersion, tableId, columns, allowedSignals },
    }),
  );
  const { projectId } = parts.addresses;
  const { branchId, sourceId } = key;
  return parts.trials.test({ key: { branchId, sourceId, projectId }, sinks, events }, options);
}
