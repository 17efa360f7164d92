import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { PeriodicService } from './periodic-service.ts';

/** A clock whose sleeps end at once, so that rounds follow each other. */
const hurried: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: (_ms, { signal }) => (signal.aborted ? Promise.reject(new Error('left')) : Promise.resolve()),
};

describe('PeriodicService', () => {
  it('repeats its round until it is drained, and then ends in peace', async () => {
    let rounds = 0;
    const service: PeriodicService = new PeriodicService({
      id: 'test',
      clock: hurried,
      everyMs: 1000,
      round: async () => {
        rounds += 1;
        if (rounds === 3) await service.drain();
      },
    });
    await service.run(new AbortController().signal);
    expect(rounds).toBe(3);
  });

  it('ends in peace when the round is cut short by the signal', async () => {
    const leaving = new AbortController();
    const round = (): Promise<void> => {
      leaving.abort();
      return Promise.reject(new Error('cut short'));
    };
    const service = new PeriodicService({ id: 'test', clock: hurried, everyMs: 1000, round });
    await expect(service.run(leaving.signal)).resolves.toBeUndefined();
  });

  it('fails with its round', async () => {
    const round = (): Promise<void> => Promise.reject(new Error('no space left'));
    const service = new PeriodicService({ id: 'test', clock: hurried, everyMs: 1000, round });
    await expect(service.run(new AbortController().signal)).rejects.toThrow('no space left');
  });
});
