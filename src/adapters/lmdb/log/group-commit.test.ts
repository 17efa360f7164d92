import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../runtime/system-clock.ts';
import { openLmdbEventLog } from '../event-log.ts';

const waiting = { signal: new AbortController().signal };

it('D6: a partition with more than a commit takes holds up no other one for longer than that commit', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-commit-'));
  try {
    await using log = await openLmdbEventLog({ path, instance: 'main', first: true, clock: systemClock });
    await log.createTopic({ name: 'events', partitions: 2 }, waiting);
    const settled: string[] = [];
    const append = async (partition: number, bytes: number, name: string): Promise<void> => {
      const record = { value: Buffer.alloc(bytes, 1), headers: [], timestamp: 0 };
      await log.append({ topic: 'events', partition }, [record], waiting);
      settled.push(name);
    };
    // Three commits of 8 MB.
    const large = Array.from({ length: 5 }, (_, at) => append(0, 4 * 1024 ** 2, `large ${at}`));
    await Promise.all([...large, append(1, 10, 'small')]);
    expect(settled.slice(0, 2)).toEqual(['large 0', 'large 1']);
    expect(settled.indexOf('small')).toBeLessThan(settled.indexOf('large 4'));
    expect(settled.indexOf('small')).toBeLessThanOrEqual(4);
  } finally {
    await rm(path, { recursive: true });
  }
});
