import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import http2, { type ClientHttp2Session, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { refusals } from '../../src/events/refusal.ts';

/** One request of a sender and what became of it. */
export interface WitnessedRequest {
  /** Of the records in it that say `record 17;`. */
  readonly numbers: readonly number[];
  /** What the product did: it said so; or its answer never came, or said that it does not know; or there was no connection to it. */
  outcome: 'stored' | 'refused' | 'unclear' | 'unreached';
  /** What it said when it did not store it, or did not know. */
  refusal?: string;
  /** The sender has the product's answer. */
  isTold: boolean;
}

/** Stands between senders of OTLP and the product: sees what is asked and answered, and can lose answers. */
export interface OtlpWitness extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly WitnessedRequest[];
  /** The next answer that says "stored" does not reach the sender. */
  loseAnswer(): void;
  /** Resolves as soon as the next request is on its way to the product. */
  nextRequest(): Promise<void>;
}

/** What the product answered, once it is complete; rejects when it breaks off. */
interface Answer<Heads> {
  readonly heads: Heads;
  readonly body: Buffer;
  /** Why it is not stored; undefined when it is. */
  readonly refusal: string | undefined;
}

/** How the product says that it may have stored a request: its log did not answer. */
const unclear = Object.values(refusals)
  .filter((refusal) => 'stored' in refusal && refusal.stored === 'maybe')
  .map(({ message }) => message);

function outcomeOf(refusal: string | undefined): WitnessedRequest['outcome'] {
  if (refusal === undefined) return 'stored';
  return unclear.some((message) => refusal.includes(message)) ? 'unclear' : 'refused';
}

class Unreached extends Error {}

/** What both ways have in common. */
class Witness {
  readonly requests: WitnessedRequest[] = [];
  #loses = false;
  #waiting: (() => void)[] = [];

  loseAnswer(): void {
    this.#loses = true;
  }

  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Undefined when the sender is to get no answer. */
  async ask<Heads>(
    seen: WitnessedRequest,
    forward: (isSent: () => void) => Promise<Answer<Heads>>,
  ): Promise<Answer<Heads> | undefined> {
    this.requests.push(seen);
    try {
      const answer = await forward(() => {
        for (const resolve of this.#waiting.splice(0)) resolve();
      });
      const { refusal } = answer;
      seen.outcome = outcomeOf(refusal);
      if (refusal !== undefined) seen.refusal = refusal;
      if (refusal !== undefined || !this.#loses) return answer;
      this.#loses = false;
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Unreached) seen.outcome = 'unreached';
      return undefined;
    }
  }
}

function seenIn(bytes: Buffer): WitnessedRequest {
  const numbers = [...bytes.toString('latin1').matchAll(/record (\d+);/g)].map((match) => Number(match[1]));
  return { numbers, outcome: 'unclear', isTold: false };
}

const decompress: Readonly<Record<string, (body: Buffer) => Buffer>> = { gzip: gunzipSync, zstd: zstdDecompressSync };

async function listen(server: Server | Http2Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A witness of OTLP over HTTP before this port of the product. */
export async function startHttpWitness(productPort: number): Promise<OtlpWitness> {
  const witness = new Witness();
  const agent = new Agent({ keepAlive: true });

  async function forward(asked: IncomingMessage, body: Buffer, isSent: () => void): Promise<Answer<IncomingMessage>> {
    const { method, url, headers } = asked;
    const onward = httpRequest({ host: '127.0.0.1', port: productPort, method, path: url, headers, agent });
    onward.end(body, isSent);
    const [heads] = (await once(onward, 'response').catch((thrown: unknown) => {
      throw (thrown as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? new Unreached() : thrown;
    })) as [IncomingMessage];
    const answered = await buffer(heads);
    return { heads, body: answered, refusal: heads.statusCode === 200 ? undefined : answered.toString() };
  }

  const server = createServer((asked, response) => {
    void (async () => {
      const body = await buffer(asked);
      const encoding = asked.headers['content-encoding'] ?? 'identity';
      const seen = seenIn(decompress[encoding]?.(body) ?? body);
      const answer = await witness.ask(seen, (isSent) => forward(asked, body, isSent));
      if (answer === undefined) {
        asked.socket.destroy();
        return;
      }
      response.writeHead(answer.heads.statusCode ?? 500, answer.heads.headers).end(answer.body, () => {
        seen.isTold = true;
      });
    })().catch(() => asked.socket.destroy());
  });
  const port = await listen(server);
  return {
    port,
    requests: witness.requests,
    loseAnswer: () => witness.loseAnswer(),
    nextRequest: () => witness.nextRequest(),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      agent.destroy();
    },
  };
}

interface GrpcHeads {
  readonly headers: IncomingHttpHeaders;
  /** Undefined: the headers are all there is. */
  readonly trailers: IncomingHttpHeaders | undefined;
}

/** A witness of OTLP over gRPC before this port of the product. */
export async function startGrpcWitness(productPort: number): Promise<OtlpWitness> {
  const witness = new Witness();
  /** By the port of the sender: a session that is destroyed would reset its streams first, unlike a process that is killed. */
  const connections = new Map<number, Socket>();
  let product: ClientHttp2Session | undefined;
  let answering = 0;

  async function session(): Promise<ClientHttp2Session> {
    if (product === undefined || product.closed || product.destroyed) {
      const opened = http2.connect(`http://127.0.0.1:${productPort}`);
      opened.on('error', () => {});
      product = opened;
    }
    const wanted = product;
    if (wanted.connecting)
      await once(wanted, 'connect').catch(() => {
        throw new Unreached();
      });
    return wanted;
  }

  async function forward(asked: IncomingHttpHeaders, body: Buffer, isSent: () => void): Promise<Answer<GrpcHeads>> {
    const stream = (await session()).request(asked);
    stream.end(body, isSent);
    let trailers: IncomingHttpHeaders | undefined;
    stream.on('trailers', (found: IncomingHttpHeaders) => {
      trailers = found;
    });
    const [[headers], answered] = await Promise.all([
      once(stream, 'response') as Promise<[IncomingHttpHeaders]>,
      buffer(stream),
    ]);
    const { 'grpc-status': status, 'grpc-message': message } = trailers ?? headers;
    if (status === undefined) throw new Error('the answer broke off');
    const refusal = status === '0' ? undefined : decodeURIComponent(String(message));
    return { heads: { headers, trailers }, body: answered, refusal };
  }

  const server = http2.createServer();
  server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    connections.set(remotePort, socket);
    socket.on('close', () => connections.delete(remotePort));
  });
  server.on('session', (opened) => opened.on('error', () => {}));
  server.on('stream', (stream, asked) => {
    stream.on('error', () => {});
    void (async () => {
      const body = await buffer(stream);
      // A frame of gRPC: whether it is compressed, its length in four bytes, the message.
      const seen = seenIn(body[0] === 1 ? gunzipSync(body.subarray(5)) : body);
      const answer = await witness.ask(seen, (isSent) => forward(asked, body, isSent));
      const { session: from } = stream;
      if (stream.destroyed) return;
      if (answer === undefined) {
        // A product that is killed takes the connection with it; not so when that would cut off answers to others.
        if (seen.outcome === 'unclear' && answering === 0) connections.get(from?.socket.remotePort ?? 0)?.destroy();
        else stream.close(http2.constants.NGHTTP2_CANCEL);
        return;
      }
      answering += 1;
      stream.on('close', () => {
        answering -= 1;
        seen.isTold = stream.rstCode === http2.constants.NGHTTP2_NO_ERROR && from?.destroyed !== true;
      });
      const { headers, trailers } = answer.heads;
      stream.respond(headers, trailers === undefined ? { endStream: true } : { waitForTrailers: true });
      if (trailers === undefined) return;
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end(answer.body);
    })().catch(() => stream.close(http2.constants.NGHTTP2_CANCEL));
  });
  const port = await listen(server);
  return {
    port,
    requests: witness.requests,
    loseAnswer: () => witness.loseAnswer(),
    nextRequest: () => witness.nextRequest(),
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const connection of connections.values()) connection.destroy();
      product?.destroy();
      await once(server, 'close');
    },
  };
}
