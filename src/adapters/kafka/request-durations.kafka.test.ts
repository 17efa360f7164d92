import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onKafka, openHastyLog } from '../../../test/support/on-kafka.ts';
import { identified } from '../../../test/support/identified.ts';

const waiting = { signal: new AbortController().signal };

await onKafka((kafka) => {
  it('tells how long each produce request took, and each fetch that brought records, and no other', async () => {
    const answered: { readonly request: string; readonly ms: number }[] = [];
    const answers = { answered: (request: string, ms: number): void => void answered.push({ request, ms }) };
    await using log = openHastyLog(kafka.brokers, { answers });
    const topic = `durations.${randomUUID()}`;
    await log.createTopic({ name: topic, partitions: 1 }, waiting);
    await using member = await log.join({ group: topic, member: 'reader' }, waiting);
    await member.subscribe([topic], waiting);
    const poll = () => member.poll({ maxBytes: 1_000_000, maxWaitMs: 200 }, waiting);
    while (member.assignment.partitions.length === 0) await poll();
    member.seek(await identified(log, { topic, partition: 0 }), 0);
    // It waits for records that are not there.
    for (let round = 0; round < 5; round += 1) expect(await poll()).toEqual([]);
    expect(answered).toEqual([]);
    await log.append({ topic, partition: 0 }, [{ value: Buffer.from('a'), headers: [], timestamp: 1 }], waiting);
    expect(answered.map(({ request }) => request)).toContain('produce');
    while (!answered.some(({ request }) => request === 'fetch')) await poll();
    for (const { ms } of answered) expect(ms).toBeGreaterThan(0);
    expect(answered).toHaveLength(2);
  });
});
