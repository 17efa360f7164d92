/** An API of items for the bench, in a process of its own: `?limit=L&offset=O` are items O to O + L of 1 million; prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const items = Number(process.argv[2] ?? 1_000_000);
const bodies = new Map<string, string>();

/** An item as APIs of shops and trackers have them: about 250 bytes, of ten columns. */
function item(id: number): object {
  return {
    id,
    email: `person-${id}@example.com`,
    name: `Person "${id}"`,
    created_at: '2026-01-02T03:04:05Z',
    is_active: id % 3 > 0,
    balance: id / 100,
    address: { city: 'Brno', street: 'Kobližná 12', zip: '60200' },
    note: id % 10 === 0 ? null : 'says what there is to say',
  };
}

// A page is made once, so that the server is no part of what is measured in later rounds.
function page(offset: number, limit: number): string {
  const key = `${offset} ${limit}`;
  const made =
    bodies.get(key) ??
    JSON.stringify(Array.from({ length: Math.max(0, Math.min(limit, items - offset)) }, (_, at) => item(offset + at)));
  bodies.set(key, made);
  return made;
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://api/');
  const body = page(Number(searchParams.get('offset')), Number(searchParams.get('limit')));
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
