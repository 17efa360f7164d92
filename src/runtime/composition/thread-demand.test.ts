import { describe, expect, it } from 'vitest';
import { ThreadDemand } from './thread-demand.ts';

const waiting = { signal: new AbortController().signal };

describe('how many threads are needed', () => {
  it('is the least at first, and twice as many when those were busy for two looks', () => {
    const demand = new ThreadDemand({ least: 1, most: 8 });
    const counts = [[0.9], [0.9], [0.9], [0.9, 0.8], [0.9, 0.8], [1, 1, 1, 1], [1, 1, 1, 1]].map((shares) => {
      demand.look(shares);
      return demand.needed;
    });
    expect(counts).toEqual([1, 2, 2, 2, 4, 4, 8]);
  });

  it('does not grow by bursts, nor when one of two is busy and the other is not', () => {
    const demand = new ThreadDemand({ least: 1, most: 8 });
    for (const shares of [[1], [0.2], [1], [0.7], [1]]) demand.look(shares);
    expect(demand.needed).toBe(1);
    const two = new ThreadDemand({ least: 2, most: 8 });
    for (let look = 0; look < 10; look += 1) two.look([1, 0.3]);
    expect(two.needed).toBe(2);
  });

  it('waits for those that have just been asked for: they have yet to take their part', () => {
    const demand = new ThreadDemand({ least: 1, most: 8 });
    for (let look = 0; look < 10; look += 1) demand.look([1]);
    expect(demand.needed).toBe(2);
  });

  it('is never more than the most, and never less than before', () => {
    const demand = new ThreadDemand({ least: 1, most: 3 });
    for (let look = 0; look < 10; look += 1) demand.look([1, 1, 1]);
    expect(demand.needed).toBe(3);
    for (let look = 0; look < 10; look += 1) demand.look([0, 0, 0]);
    expect(demand.needed).toBe(3);
    expect(new ThreadDemand({ least: 5, most: 3 }).needed).toBe(3);
  });

  it('grows though nobody works: a thread that hangs is busy', () => {
    const demand = new ThreadDemand({ least: 1, most: 2 });
    for (let look = 0; look < 2; look += 1) demand.look([]);
    expect(demand.needed).toBe(1);
    for (let look = 0; look < 2; look += 1) demand.look([1]);
    expect(demand.needed).toBe(2);
  });

  it('lets a thread begin when it is needed, also one that takes the place of another', async () => {
    const demand = new ThreadDemand({ least: 1, most: 2 });
    await demand.until(0, waiting);
    let hasBegun = false;
    const second = demand.until(1, waiting).then(() => (hasBegun = true));
    await Promise.resolve();
    demand.look([1]);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(hasBegun).toBe(false);
    demand.look([1]);
    await second;
    await demand.until(1, waiting);
  });

  it('a thread that leaves before it was needed does not begin', async () => {
    const leaving = new AbortController();
    const begun = new ThreadDemand({ least: 1, most: 2 }).until(1, leaving);
    leaving.abort(new Error('it leaves'));
    await expect(begun).rejects.toThrow('it leaves');
  });
});
