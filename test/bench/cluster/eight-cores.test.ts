import { expect, test } from 'vitest';
import { machineOfEightCores } from './eight-cores.ts';

test('eight cores make eight times what one second of a core does, by the medians, and servers have columns', () => {
  const round = (microseconds: number, kafka: number) => ({
    microseconds,
    servers: new Map([['Kafka', kafka] as const]),
  });
  const text = machineOfEightCores([
    { role: 'ingest', unit: 'events', rounds: [round(20, 5), round(40, 4), round(30, 9)] },
    {
      role: 'import',
      unit: 'rows',
      rounds: [{ microseconds: 0.8, servers: new Map([['PostgreSQL', 1.25] as const]) }],
    },
  ]);
  expect(text.split('\n').slice(2)).toEqual([
    '| role | an event | eight cores | half of it, to plan with | Kafka, an event | PostgreSQL, an event |',
    '|---|---|---|---|---|---|',
    '| ingest | 30.0 µs | 267 k events/s | 133 k events/s | 5.0 µs | 0.0 µs |',
    '| import | 0.8 µs | 10,000 k rows/s | 5,000 k rows/s | 0.0 µs | 1.3 µs |',
  ]);
  expect(text).toContain('Computed, not measured');
});
