import { describe, expect, it } from 'vitest';
import { withNewestLeaders, type KafkaTopic } from './newest-leaders.ts';

const topic = (leaders: readonly number[], epochs: readonly number[], identity = 'a'): KafkaTopic => ({
  name: 'orders',
  identity,
  leaders,
  epochs,
});

describe('the leaders of partitions, as several brokers know them', () => {
  it('D2: are those of the newest epoch, whoever tells of it first', () => {
    const [before, now] = [topic([2, 3], [4, 7]), topic([1, 3], [5, 7])];
    expect(withNewestLeaders(before, now)).toEqual(now);
    expect(withNewestLeaders(now, before)).toEqual(now);
  });

  it('are of all partitions that one of them knows', () => {
    const [one, two] = [topic([1], [0]), topic([1, 2], [0, 0])];
    expect(withNewestLeaders(one, two)).toEqual(two);
    expect(withNewestLeaders(two, one)).toEqual(two);
  });

  it('are none where the newest epoch has none', () => {
    expect(withNewestLeaders(topic([2], [4]), topic([-1], [5])).leaders).toEqual([-1]);
  });

  it('D3: of another existence of the topic say nothing', () => {
    const now = topic([1], [0], 'b');
    expect(withNewestLeaders(now, topic([2], [9]))).toEqual(now);
    expect(withNewestLeaders(now, undefined)).toEqual(now);
  });
});
