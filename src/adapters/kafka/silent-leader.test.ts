import { expect, it } from 'vitest';
import { answerMetadata } from '../../../test/support/metadata-answer.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { startSmallBrokers, type SmallAnswer, type SmallRequest } from '../../../test/support/small-broker.ts';
import type { WireWriter } from './wire.ts';
import { openKafkaEventLog } from './event-log.ts';

const topic = 'orders';
const at = { topic, partition: 0 };
const { signal } = new AbortController();
const [produce, metadata, initProducerId] = [0, 3, 22];
const notEnoughReplicas = 19;

function answerRefused(to: WireWriter): void {
  to.noTaggedFields().compactLength(1).compactString(topic).compactLength(1);
  to.int32(0).int16(notEnoughReplicas).int64(-1).int64(-1).int64(0);
  to.compactLength(0).compactLength(undefined).noTaggedFields();
  to.noTaggedFields().int32(0).noTaggedFields();
}

/** Of two brokers the first takes everything and says nothing; the second leads after the second request, and refuses. */
async function start() {
  const produced: number[] = [];
  let producers = 0n;
  const answer = ({ id, apiKey, version }: SmallRequest): SmallAnswer => {
    if (apiKey === initProducerId) return (to) => void to.int32(0).int16(0).bigint64(producers++).int16(0);
    const leader = produced.length < 2 ? 1 : 2;
    if (apiKey === metadata && version === 12) return (to) => answerMetadata(to, { topic, port: 0, leaders: [leader] });
    if (apiKey !== produce) return undefined;
    produced.push(id);
    return id === 1 ? 'silent' : answerRefused;
  };
  const brokers = await startSmallBrokers(2, new Map(), answer);
  const log = openKafkaEventLog({ brokers: brokers.map(({ port }) => `127.0.0.1:${port}`), clientId: 'test' });
  const dispose = async (): Promise<void> => {
    await log[Symbol.asyncDispose]();
    for (const broker of brokers) await broker[Symbol.asyncDispose]();
  };
  return { log, produced, [Symbol.asyncDispose]: dispose };
}

it('D1, D3: what a leader took and did not answer is not refused as never stored when its successor has too few replicas', async () => {
  await using kafka = await start();
  const { log, produced } = kafka;
  const record = { value: Buffer.from('a'), headers: [], timestamp: 0 };
  const append = (withinMs: number) => log.append(at, [record], { signal, withinMs });
  await expect(append(2000)).rejects.toMatchObject({ code: 'log.unavailable' });
  await eventually(() => expect(log.condition(at)).toBe('well'));
  await expect(append(10_000)).rejects.toMatchObject({ code: 'log.unavailable' });
  expect(produced.slice(0, 3)).toEqual([1, 1, 2]);
});
