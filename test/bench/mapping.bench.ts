import { Buffer } from 'node:buffer';
import type { Column } from '../../src/core/column.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import { compileMapping, type CompiledMapping } from '../../src/mapping/compile-mapping.ts';
import { eventOfRecord } from '../../src/mapping/event-of-record.ts';
import { LineWriter } from '../../src/mapping/line-writer.ts';
import { createTemplates } from '../../src/mapping/jsonnet-templates.ts';
import type { Bench } from './bench.ts';
import { rate } from './rate.ts';

/** Rates are events a second; `ratio` is `rate` as a share of `reference`, both measured in turns in this run. */
export interface MappingBench {
  readonly name: string;
  readonly rate: number;
  readonly reference: number;
  readonly ratio: number;
}

const order = {
  id: 'evt_01J9ZK3Q8V5W7XPM2C4D6E8F0G',
  type: 'order.created',
  created: 1_732_190_400_123,
  livemode: true,
  customer: {
    id: 'cus_9s6XKzkNRiz8i3',
    name: 'Jane Müller',
    email: 'jane.mueller@example.com',
    address: { city: 'Berlin', country: 'DE', line1: 'Friedrichstraße 43', postal_code: '10117' },
  },
  order: {
    id: 100_293,
    total: 129.95,
    currency: 'EUR',
    status: 'paid',
    items: [
      { sku: 'SKU-1001', name: 'Wireless Mouse, black', qty: 1, price: 29.95 },
      { sku: 'SKU-2044', name: 'Mechanical Keyboard "Pro", aluminium', qty: 1, price: 100 },
      { sku: 'SKU-3107', name: 'USB-C cable, 2 m', qty: 3, price: 8.5 },
    ],
    notes: 'Please leave the parcel with the neighbour on the second floor if nobody is at home; ring twice.',
  },
  request: { ip: '203.0.113.77', user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0' },
  tags: ['web', 'returning', 'newsletter'],
  metadata: { campaign: 'autumn-24', referrer: 'https://shop.example.com/products/keyboards?page=2' },
};

const headers = Object.entries({
  'millrace-id': '0192f3b4-7a3b-7c1d-9e2f-a1b2c3d4e5f6',
  'millrace-remote': '203.0.113.77',
  host: 'events.example.com',
  'user-agent': 'shop-webhooks/2.3',
  'content-type': 'application/json',
  'content-length': '1024',
  'x-request-id': '7f3c9a1e5b',
  accept: '*/*',
}).flat();

const path = (name: string, text: string, rawString = true): Column => ({ type: 'path', name, path: text, rawString });
const columns: readonly Column[] = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'arrived_at' },
  { type: 'ip', name: 'ip' },
  path('type', 'type'),
  path('customer', 'customer.id'),
  path('country', 'customer.address.country'),
  path('total', 'order.total'),
  path('first_item', 'order.items[0]', false),
  path('campaign', 'metadata.campaign', false),
];

/**
 * Maps ten native columns of a 1 KB JSON event to a CSV line on one thread, against `JSON.parse` of the text of the
 * same body. The tenth column is the body; `last` sets another.
 */
export function benchMapping(last: Column = { type: 'body', name: 'body' }): MappingBench {
  const text = JSON.stringify(order);
  const value = Buffer.from(text);
  const compiled = compile([...columns, last]);
  const writer = new LineWriter();
  let offset = 0;
  const map = (): number => {
    offset++;
    const record = { value, headers, timestamp: order.created + Math.floor(offset / 50) };
    writer.clear();
    compiled.mapEvent(eventOfRecord(record, { topic: 'source.1.shop', partition: 0, offset }), writer);
    return writer.length;
  };
  const parse = (): number => (JSON.parse(text) as typeof order).created;
  const [rate, reference] = ratesOf(map, parse);
  return { name: `map 10 native columns (the last one: ${last.type})`, rate, reference, ratio: rate / reference };
}

function compile(all: readonly Column[]): CompiledMapping {
  const mapping = { incarnation: parseIncarnation(1), version: 1, tableId: parseTableId('in.c-shop.orders') };
  return compileMapping({ ...mapping, columns: all, allowedSignals: [] }, { templates: createTemplates() });
}

const rounds = 9;
const callsPerRound = 40_000;

/** The best of several rounds of both, in turns, so that what else the machine does weighs on both alike. */
function ratesOf(first: () => number, second: () => number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    best = [Math.max(best[0], rateOf(first)), Math.max(best[1], rateOf(second))];
  }
  return best;
}

function rateOf(call: () => number): number {
  const start = performance.now();
  let sum = 0;
  for (let count = 0; count < callsPerRound; count++) sum += call();
  const seconds = (performance.now() - start) / 1000;
  return sum > 0 ? callsPerRound / seconds : 0;
}

export const mapBench: Bench = {
  meaning: 'map ten columns of a 1 KB event on one thread, beside JSON.parse',
  usual: {},
  run: async () => {
    const { ratio, rate: own, reference } = benchMapping();
    return {
      figures: [
        {
          what: 'map 10 native columns of a 1 KB JSON event, share of JSON.parse',
          measured: ratio.toFixed(2),
          floor: '0.5',
          goal: '0.7',
          sides: `${rate(own, 'rows')} of ${rate(reference, 'bodies')}`,
        },
      ],
    };
  },
};
