import { sendRaw, type FullBroker } from './broker.ts';
import { BrokerError } from './error-codes.ts';
import { WireReader, WireWriter } from './wire.ts';

export interface ProducerId {
  readonly id: bigint;
  readonly epoch: number;
}

/** An id that nobody has had before (InitProducerId, version 1); any broker gives one. */
export function newProducerId(broker: FullBroker): Promise<ProducerId> {
  const noTransaction = undefined;
  const bytes = new WireWriter().string(noTransaction).int32(0).bytes();
  return sendRaw(broker, { apiKey: 22, apiVersion: 1, apiName: 'InitProducerId', bytes, read: readId });
}

function readId(bytes: Buffer): ProducerId {
  const response = new WireReader(bytes);
  response.int32(); // throttle time
  const error = response.int16();
  if (error !== 0) throw new BrokerError(error);
  return { id: response.bigint64(), epoch: response.int16() };
}
