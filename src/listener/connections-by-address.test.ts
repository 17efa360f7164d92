import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { SharedCounts } from '../core/shared-counts.ts';
import { ConnectionsByAddress } from './connections-by-address.ts';

class Peer extends EventEmitter {
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
}

const taken = (byAddress: ConnectionsByAddress, ...addresses: readonly string[]): readonly boolean[] =>
  addresses.map((address) => byAddress.take(new Peer(address)));

it('D8: addresses of one /64 are counted as one, those of another apart', () => {
  const byAddress = new ConnectionsByAddress(2);
  const [one, two, three] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:1:2:3:4:5:6'];
  expect(taken(byAddress, one, two, three)).toEqual([true, true, false]);
  expect(taken(byAddress, '2001:db8:1:3::1', '2001:db8:1:3::2', '2001:db8:1:3::2')).toEqual([true, true, false]);
  expect(taken(byAddress, 'fe80::1%lo', 'fe80::2%lo', 'fe80::3')).toEqual([true, true, false]);
});

it('D8: each address of IPv4 is counted, however the listener shows it', () => {
  const byAddress = new ConnectionsByAddress(1);
  expect(taken(byAddress, '10.0.0.1', '10.0.0.2', '::ffff:10.0.0.1', '::ffff:10.0.0.3')).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

it('a connection that closes makes room for another one of its network', () => {
  const byAddress = new ConnectionsByAddress(1);
  const first = new Peer('2001:db8::1');
  expect(byAddress.take(first)).toBe(true);
  expect(taken(byAddress, '2001:db8::2')).toEqual([false]);
  first.emit('close');
  expect(taken(byAddress, '2001:db8::2')).toEqual([true]);
});

it('D8: an address may have as many as it may in all threads together, however they are shared out', () => {
  const tables = SharedCounts.tables({ threads: 3, names: 100, seed: 1 });
  const [one, two, three] = [0, 1, 2].map((own) => new ConnectionsByAddress(4, new SharedCounts(tables, own)));
  if (one === undefined || two === undefined || three === undefined) throw new Error('three threads');
  const peers = [new Peer('10.0.0.1'), new Peer('10.0.0.1'), new Peer('10.0.0.1')];
  expect(peers.map((peer) => one.take(peer))).toEqual([true, true, true]);
  expect(taken(two, '10.0.0.1', '10.0.0.1')).toEqual([true, false]);
  expect(taken(three, '10.0.0.1', '10.0.0.2')).toEqual([false, true]);
  peers[0]?.emit('close');
  expect(taken(three, '10.0.0.1', '10.0.0.1')).toEqual([true, false]);
});

it('D8: of an address that the others cannot be told of, each thread takes its share', () => {
  const tables = SharedCounts.tables({ threads: 2, names: 1, seed: 1 });
  const byAddress = new ConnectionsByAddress(2, new SharedCounts(tables, 0));
  // They fill the table.
  for (let at = 1; at <= 8; at += 1) expect(taken(byAddress, `10.0.1.${at}`)).toEqual([true]);
  expect(taken(byAddress, '10.0.0.1', '10.0.0.1')).toEqual([true, false]);
});
