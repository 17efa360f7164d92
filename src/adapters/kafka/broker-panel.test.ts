import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrokerPanel } from './broker-panel.ts';
import { panelGraceMs, panelPauseMs } from './config.ts';

const never = new Promise<string>(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What the question comes to, and how long that takes of the fake clock. */
async function timed<T>(question: Promise<T>): Promise<{ readonly told: T; readonly ms: number }> {
  const since = Date.now();
  const ended = question.then((told) => ({ told, ms: Date.now() - since }));
  await vi.advanceTimersByTimeAsync(10 * panelGraceMs);
  return ended;
}

describe('a question to all brokers', () => {
  it('has the answers of all, at once when all are there', async () => {
    const panel = new BrokerPanel();
    expect(await timed(panel.ask(['1', '2'], (id) => Promise.resolve(id)))).toEqual({ told: ['1', '2'], ms: 0 });
  });

  it('D8: one that is silent is waited for once, for a moment, until it tells', async () => {
    const panel = new BrokerPanel();
    const late = Promise.withResolvers<string>();
    const asked: string[] = [];
    const ask = (id: string): Promise<string> => {
      asked.push(id);
      return id === '2' ? late.promise : Promise.resolve(id);
    };
    expect(await timed(panel.ask(['1', '2'], ask))).toEqual({ told: ['1'], ms: panelGraceMs });
    expect(await timed(panel.ask(['1', '2'], ask))).toEqual({ told: ['1'], ms: 0 });
    // It still has the first question.
    expect(asked).toEqual(['1', '2', '1']);
    late.resolve('2');
    await vi.advanceTimersByTimeAsync(0);
    expect(await timed(panel.ask(['1', '2'], ask))).toEqual({ told: ['1', '2'], ms: 0 });
  });

  it('D8: one that fails is asked again after a pause, and waited for when it has told', async () => {
    const panel = new BrokerPanel();
    let isDead = true;
    const asked: string[] = [];
    const ask = async (id: string): Promise<string> => {
      asked.push(id);
      if (id === '2' && isDead) throw new Error('refused');
      return id;
    };
    expect(await panel.ask(['1', '2'], ask)).toEqual(['1']);
    isDead = false;
    expect(await panel.ask(['1', '2'], ask)).toEqual(['1']);
    await vi.advanceTimersByTimeAsync(panelPauseMs);
    await panel.ask(['1', '2'], ask);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(['1', '2', '1', '1', '2']);
    expect(await panel.ask(['1', '2'], ask)).toEqual(['1', '2']);
  });

  it('asks silent ones, too, when there are no others, and fails when all fail', async () => {
    const panel = new BrokerPanel();
    const failing = (): Promise<string> => Promise.reject(new Error('refused'));
    await expect(panel.ask(['1', '2'], failing)).rejects.toThrow('refused');
    expect(await panel.ask(['1', '2'], (id) => (id === '1' ? never : Promise.resolve(id)))).toEqual(['2']);
  });
});
