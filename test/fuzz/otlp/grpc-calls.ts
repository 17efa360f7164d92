import { constants, type OutgoingHttpHeaders } from 'node:http2';
import type { Signal } from '../../../src/core/event.ts';
import { methods } from '../../../src/stages/ingest/otlp-grpc/route.ts';
import type { Dice } from '../random.ts';
import type { OtlpBodies } from './otlp-bodies.ts';

/** A call over gRPC as a stranger may make it. */
export interface HostileCall {
  readonly headers: OutgoingHttpHeaders;
  /** What is written, in this order; the pieces come one after the other where `isSlow`. */
  readonly pieces: readonly Buffer[];
  readonly isSlow: boolean;
  /** How its sender ends it: its last byte, a reset with this code, or not at all. */
  readonly end: 'whole' | 'never' | number;
  /** Its status can be told by the rules of gRPC: one comes. */
  readonly isFramed: boolean;
}

const resets = [
  constants.NGHTTP2_NO_ERROR,
  constants.NGHTTP2_CANCEL,
  constants.NGHTTP2_REFUSED_STREAM,
  constants.NGHTTP2_PROTOCOL_ERROR,
  0xff,
] as const;

/** A time that is none. */
export const noTimeout = 'soon';

const oddHeaders: readonly [OutgoingHttpHeaders, ...OutgoingHttpHeaders[]] = [
  { authorization: undefined },
  { authorization: 'Bearer x' },
  { authorization: 'Basic eDp5' },
  { authorization: `Bearer ${'x'.repeat(9000)}` },
  { 'millrace-source': 'default/other' },
  { 'millrace-source': '/' },
  { 'millrace-source': '../hostile/x' },
  { 'grpc-timeout': '1n' },
  { 'grpc-timeout': '0S' },
  { 'grpc-timeout': '99999999H' },
  { 'grpc-timeout': noTimeout },
  { 'grpc-encoding': 'nonsense' },
  { 'grpc-encoding': 'br' },
  { 'grpc-encoding': '' },
  { 'grpc-accept-encoding': 'nonsense, ,gzip' },
  { 'x-forwarded-for': '1.2.3.4, ::1, unknown' },
  { 'x-binary-bin': '%%%' },
  { 'grpc-status-details-bin': 'AAAA' },
  { 'x-wide': 'x'.repeat(14_000) },
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x-${at}`, 'v'])),
];

/** Requests that the library of gRPC answers itself. */
const oddTransport: readonly [OutgoingHttpHeaders, ...OutgoingHttpHeaders[]] = [
  { 'content-type': 'application/json' },
  { 'content-type': undefined },
  { 'content-type': 'application/grpc+json' },
  { 'content-type': 'application/grpc-web' },
  { ':method': 'GET' },
  { ':method': 'PUT' },
  { ':path': '/' },
  { ':path': '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export' },
  { ':path': `${methods.logs}/` },
  { ':path': methods.logs.toLowerCase() },
  { ':path': '*' },
  { ':path': `/${'x'.repeat(8000)}` },
];

/** Makes a call; `secret`: of the source that it is for. */
export function makeCall(
  dice: Dice,
  bodies: OtlpBodies,
  { secret, number }: { secret: string; number: number },
): HostileCall {
  const { signal, body, coding } = bodies.makeCoded(dice);
  const headers = headersOf(dice, { signal, secret, number, coding });
  const call = {
    headers,
    pieces: [framed(body, coding !== undefined && coding !== 'identity')],
    isSlow: false,
    end: 'whole',
    // HTTP/2 itself resets a call to "*" (RFC 9113, 8.3.1).
    isFramed: headers[':path'] !== '*',
  } satisfies HostileCall;
  return dice.chance(60) ? call : bent(dice, call, body);
}

function headersOf(
  dice: Dice,
  { signal, secret, number, coding }: { signal: Signal; secret: string; number: number; coding: string | undefined },
): OutgoingHttpHeaders {
  const right = {
    ':method': 'POST',
    ':path': methods[signal],
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${secret}`,
    'x-number': String(number),
    ...(coding === undefined ? {} : { 'grpc-encoding': coding }),
  };
  const all: OutgoingHttpHeaders = dice.chance(10)
    ? { ...right, ...(dice.chance(70) ? dice.pick(oddHeaders) : dice.pick(oddTransport)) }
    : right;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The same with something wrong in its frames, its pieces or its end. */
function bent(dice: Dice, call: HostileCall, body: Buffer): HostileCall {
  const [whole = Buffer.alloc(0)] = call.pieces;
  switch (dice.number(0, 7)) {
    case 0: {
      const length = dice.pick([0, body.length - 1, body.length + 1, 0x7fff_ffff, 0xffff_ffff, body.length >> 1]);
      return { ...call, pieces: [prefixed(body, 0, Math.max(0, length))] };
    }
    case 1:
      return { ...call, pieces: [prefixed(body, dice.pick([1, 2, 128, 255]), body.length)] };
    case 2:
      return { ...call, pieces: Array.from({ length: dice.number(0, 4) }, () => whole) };
    case 3:
      return {
        ...call,
        pieces: [whole.subarray(0, dice.number(0, whole.length))],
        end: dice.pick(resets),
        isFramed: false,
      };
    case 4:
      return { ...call, pieces: split(dice, whole), isSlow: true };
    case 5:
      return { ...call, pieces: split(dice, whole.subarray(0, 40)), isSlow: true, end: 'never', isFramed: false };
    case 6:
      return { ...call, pieces: [dice.bytes(dice.number(0, 60))] };
    default:
      return { ...call, end: dice.pick(resets), isFramed: false };
  }
}

function split(dice: Dice, whole: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < whole.length && pieces.length < 12;) {
    const length = pieces.length === 11 ? whole.length : dice.number(1, 12);
    pieces.push(whole.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function framed(bytes: Buffer, isCompressed: boolean): Buffer {
  return prefixed(bytes, isCompressed ? 1 : 0, bytes.length);
}

/** What stands before a message in gRPC, right or wrong. */
function prefixed(bytes: Buffer, flag: number, length: number): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, bytes]);
}
