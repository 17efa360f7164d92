import { Buffer } from 'node:buffer';
import { idBytes, type EventIds } from './event-id.ts';

/** Ids of events, in their order. */
export type IdList = Iterable<string> & { readonly length: number };

/** Ids as the bytes of their texts, one behind the other: no string for an id that nobody asks for. */
export class IdTexts implements IdList {
  readonly bytes: Buffer;
  readonly length: number;

  /** Makes them. `arrivedAt` in milliseconds since the epoch. */
  constructor(length: number, arrivedAt: number, ids: EventIds) {
    this.bytes = Buffer.allocUnsafe(length * idBytes);
    this.length = length;
    for (let at = 0; at < this.bytes.length; at += idBytes) ids.write(arrivedAt, this.bytes, at);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let at = 0; at < this.bytes.length; at += idBytes) yield this.bytes.toString('latin1', at, at + idBytes);
  }
}
