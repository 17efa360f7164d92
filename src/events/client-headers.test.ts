import { expect, it } from 'vitest';
import { clientHeaders } from './client-headers.ts';

const [first, second] = ['s'.repeat(48), 't'.repeat(48)];
const secrets = [first, second] as const;

it('A29: a secret of a source stands in no header that is kept, whoever wrote it there', () => {
  const raw = [
    ['Host', 'example.com'],
    ['X-Original-URI', `/stream/1/orders/${first}?a=1`],
    ['Referer', `http://proxy/stream/1/orders/${second}`],
    ['X-Both', `${first} ${second} ${first}`],
    ['Authorization', `Bearer ${first}`],
    ['X-Name', 'ž'],
  ];
  const kept = [
    ['Host', 'example.com'],
    ['X-Original-URI', '/stream/1/orders/***?a=1'],
    ['Referer', 'http://proxy/stream/1/orders/***'],
    ['X-Both', '*** *** ***'],
    ['X-Name', 'ž'],
  ];
  expect(clientHeaders(raw.flat(), secrets)).toEqual(kept.flat());
  expect(clientHeaders(['Referer', `/${second}`], secrets)).toEqual(['Referer', '/***']);
});

it('headers without anything to hide are the list that came', () => {
  const raw = ['Host', 'example.com', 'User-Agent', 'x'.repeat(100)];
  expect(clientHeaders(raw, secrets)).toBe(raw);
});
