import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { MillraceError } from '../../../core/millrace-error.ts';

/** A call whose messages are bytes. */
export type BytesCall = ServerReadableStream<Buffer, Buffer>;

/** A call as it arrives. */
export interface BareCall {
  /** How its messages are compressed, where they say that they are. */
  readonly encoding: string;
  /** Tells each piece before anything is made of it. */
  onBytes(listener: (bytes: Buffer) => void): void;
  /** Tells when it is over: its sender has its status, has left, or was cut. */
  onClosed(listener: () => void): void;
  /** Whether its stream ended because its connection did: its sender has not ended it. */
  isCutOff(): boolean;
  /** Ends it without waiting for its sender. */
  cancel(): void;
}

/** What the library has in a call beside its types (ADR 0050). */
interface Inner {
  readonly stream: ServerHttp2Stream;
  incomingEncoding: string;
}

/**
 * Takes a call out of the hands of the library as far as memory goes (D8): it would gather and inflate messages that nobody has counted.
 * Messages come as they were sent from now on. Throws `internal.bug` where the library is another one than it was.
 */
export function bareCall(call: BytesCall): BareCall {
  const inner = innerOf(call);
  const { stream, incomingEncoding: encoding } = inner;
  inner.incomingEncoding = 'identity';
  return {
    encoding,
    onBytes: (listener) => void stream.on('data', listener),
    onClosed: (listener) => {
      if (stream.closed && stream.destroyed) listener();
      else stream.once('close', listener);
    },
    isCutOff: () => stream.aborted,
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

function innerOf(call: BytesCall): Inner {
  const inner: unknown = 'call' in call ? call.call : undefined;
  if (isInner(inner)) return inner;
  throw new MillraceError(
    'internal.bug',
    'A call of @grpc/grpc-js has no stream: its version is not the one that was tested',
  );
}

function isInner(inner: unknown): inner is Inner {
  return (
    typeof inner === 'object' &&
    inner !== null &&
    'stream' in inner &&
    'incomingEncoding' in inner &&
    typeof inner.incomingEncoding === 'string'
  );
}
