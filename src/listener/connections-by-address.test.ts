import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
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
