import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { TallyCounter } from './tally-counter.ts';

it('is read as if each count had been told at once, whoever counts and however often it is read', async () => {
  const registry = new Registry();
  const counter = new TallyCounter({ name: 'events', help: 'Events.', labelNames: ['source'], registers: [registry] });
  const page = async (): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('events{'));
  const [a, sameA, b] = [
    counter.tally({ source: 'a' }),
    counter.tally({ source: 'a' }),
    counter.tally({ source: 'b' }),
  ];
  expect(await page()).toEqual([]);
  a.inc();
  a.inc(3);
  sameA.inc(10);
  b.inc(0);
  counter.inc({ source: 'a' }, 100);
  expect(await page()).toEqual(['events{source="a"} 114']);
  b.inc(2);
  a.inc();
  expect(await page()).toEqual(['events{source="a"} 115', 'events{source="b"} 2']);
  counter.remove({ source: 'a' });
  a.inc(7);
  expect(await page()).toEqual(['events{source="b"} 2', 'events{source="a"} 7']);
});
