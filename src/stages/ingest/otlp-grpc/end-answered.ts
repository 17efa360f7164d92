import { EventEmitter } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { MillraceError } from '../../../core/millrace-error.ts';

/**
 * Ends each call that has its answer and whose sender goes on (D8), over connections that the newest injector of the server takes. The
 * library leaves it open for as long as its sender likes, where it has answered a call itself that had begun to arrive, as one whose
 * deadline has passed. Throws `internal.bug` where the library is another one than it was (ADR 0050).
 */
export function endAnswered(server: Server): void {
  const inner: unknown = Reflect.get(server, 'http2Servers');
  const http2Servers: readonly unknown[] = inner instanceof Map ? [...inner.keys()] : [];
  const newest = http2Servers.at(-1);
  if (!(newest instanceof EventEmitter))
    throw new MillraceError(
      'internal.bug',
      'A server of @grpc/grpc-js has no server of HTTP/2: its version is not the one that was tested',
    );
  newest.on('stream', (stream: ServerHttp2Stream) => {
    // What was answered is written at the end of this turn.
    stream.once('finish', () => void setImmediate(() => endHalf(stream)));
  });
}

/** Ends a stream of which only the sender has not ended his half. */
function endHalf(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.state.state !== constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL) return;
  stream.close(constants.NGHTTP2_NO_ERROR);
}
