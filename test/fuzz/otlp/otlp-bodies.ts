import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { signals, type Signal } from '../../../src/core/event.ts';
import type { OtlpEncoding } from '../../../src/events/read-otlp.ts';
import { sentRequests, type SentRequest } from '../../support/otlp-requests.ts';
import type { Dice } from '../random.ts';
import { mutateJson } from './json-mutations.ts';
import { flip, mutateWire } from './wire-mutations.ts';

/** A request as a stranger may send it: nearly valid, most often. */
export interface HostileOtlp {
  readonly signal: Signal;
  readonly encoding: OtlpEncoding;
  readonly body: Buffer;
}

/** The same with a coding, which may be another one than is said. */
export interface CodedOtlp extends HostileOtlp {
  readonly coding: string | undefined;
}

const eachSignal = 60;
/** Smaller ones have hardly a record. */
const leastBytes = 150;

/** Makes requests of valid ones by the dice. */
export class OtlpBodies {
  readonly #valid: Readonly<Record<Signal, readonly SentRequest[]>>;

  constructor(seed: number) {
    const some = (signal: Signal): readonly SentRequest[] =>
      fc.sample(
        sentRequests(signal).filter(({ protobuf }) => protobuf.length >= leastBytes),
        { seed, numRuns: eachSignal },
      );
    this.#valid = { logs: some('logs'), metrics: some('metrics'), traces: some('traces') };
  }

  make(dice: Dice): HostileOtlp {
    const signal = signals[dice.number(0, signals.length - 1)] ?? 'logs';
    // Now and then that of another signal.
    const of = dice.chance(4) ? 'logs' : signal;
    const { protobuf, json } = this.#valid[of][dice.number(0, eachSignal - 1)] as SentRequest;
    const encoding = dice.chance(50) ? 'json' : 'protobuf';
    const valid = encoding === 'json' ? Buffer.from(json) : Buffer.from(protobuf);
    return { signal, encoding, body: this.#body(dice, encoding, valid) };
  }

  /** As `make` does, compressed now and then. */
  makeCoded(dice: Dice): CodedOtlp {
    const made = this.make(dice);
    if (!dice.chance(20)) return { ...made, coding: undefined };
    const { body } = made;
    const [packed, coding] = dice.pick<readonly [Buffer, string]>([
      [gzipSync(body), 'gzip'],
      [gzipSync(body).subarray(0, -5), 'gzip'],
      [flip(dice, gzipSync(body)), 'gzip'],
      [deflateSync(body), 'deflate'],
      [flip(dice, deflateSync(body)), 'deflate'],
      [zstdCompressSync(body), 'zstd'],
      [flip(dice, zstdCompressSync(body)), 'zstd'],
      [body, 'gzip'],
      [body, 'zstd'],
      [brotliCompressSync(body), 'br'],
      [body, 'nonsense'],
      [body, 'identity'],
      dice.chance(4) ? dice.pick(bombs()) : [gzipSync(body), 'zstd'],
    ]);
    return { ...made, body: packed, coding };
  }

  #body(dice: Dice, encoding: OtlpEncoding, valid: Buffer): Buffer {
    const chosen = dice.number(0, 99);
    if (chosen < 15) return valid;
    if (chosen < 20) return dice.bytes(dice.number(0, 200));
    if (chosen < 22) return Buffer.alloc(0);
    if (chosen < 27) return flip(dice, valid);
    // Of the other encoding.
    if (chosen < 29) return Buffer.from(encoding === 'json' ? [0x0a, 0x00] : '{}');
    return encoding === 'json' ? mutateJson(dice, valid.toString()) : mutateWire(dice, valid);
  }
}

let made: readonly [readonly [Buffer, string], ...(readonly [Buffer, string])[]] | undefined;

/** Some kilobytes that become 100 MB: nothing, and a valid message of it. */
function bombs(): readonly [readonly [Buffer, string], ...(readonly [Buffer, string])[]] {
  const zeros = Buffer.alloc(100 * 1024 ** 2);
  const empty = Buffer.alloc(40 * 1024 ** 2, Buffer.from([0x0a, 0x00]));
  made ??= [
    [gzipSync(zeros), 'gzip'],
    [deflateSync(zeros), 'deflate'],
    [zstdCompressSync(zeros), 'zstd'],
    [gzipSync(empty), 'gzip'],
    [zstdCompressSync(Buffer.alloc(40 * 1024 ** 2, '[')), 'zstd'],
  ];
  return made;
}
