import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The last request of a connection that asked for another protocol. */
interface Offer {
  /** Bytes of the connection up to its end. */
  readonly end: number;
  /** Nothing was read behind it, so that the next request begins where Node's parser believes. */
  isAlone: boolean;
}

/**
 * Requests that ask for another protocol (`Upgrade`), which is never given (RFC 9110, 7.8). Node's parser forgets what it
 * read behind one in the same go: what comes next on the connection may be the middle of another request, such as a body
 * that looks like one. So nothing is served behind such a request, and its connection ends with its answer, unless the
 * count of bytes shows that nothing was read behind it: Java's client offers h2c with each request, and keeps its connection.
 */
export class Upgrades {
  readonly #offers = new WeakMap<Socket, Offer>();

  /** False: the request comes when its connection was told its last answer, or will be by one before it; nobody may answer it. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const last = this.#offers.get(request.socket);
    // Its sender may have been told that nothing of it was stored, because it was late.
    if (request.socket.writableEnded || last?.isAlone === false) {
      request.resume();
      return false;
    }
    if (request.headers.upgrade !== undefined) this.#offered(request, response, last?.end ?? 0);
    return true;
  }

  #offered(request: IncomingMessage, response: ServerResponse, from: number): void {
    const { socket } = request;
    const offer = { end: from + sizeOf(request), isAlone: false };
    this.#offers.set(socket, offer);
    if (socket.bytesRead <= offer.end)
      request.once('end', () => {
        offer.isAlone = socket.bytesRead === offer.end;
        if (!offer.isAlone) endConnection(response);
      });
    else endConnection(response);
  }
}

function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  if (!response.headersSent) return;
  // It said that the connection is kept, so Node will not end it.
  if (response.writableFinished) response.req.socket.destroySoon();
  else response.once('finish', () => response.req.socket.destroySoon());
}

/** Bytes of a request as clients write it: `Name: value`, and a body of a length said before. NaN of one with another body. */
function sizeOf({ method = '', url = '', headers, rawHeaders }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  let size = `${method} ${url} HTTP/1.1\r\n\r\n`.length + Number(headers['content-length'] ?? 0);
  // Each name is followed by ": ", each value by the end of the line.
  for (const text of rawHeaders) size += text.length + 2;
  return size;
}
