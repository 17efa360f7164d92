import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers by `METHOD /path?query`; a function decides at each request; a list gives its answers in turn, then the last. */
export type Answers = Readonly<
  Record<string, Answer | readonly Answer[] | ((request: SeenRequest) => Answer | 'hang up')>
>;

export interface SmallApi extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

/** A real HTTP server on a free port that answers as it is told, and notes what it was asked. */
export async function smallApi(answersAt: (url: string) => Answers): Promise<SmallApi> {
  const seen: SeenRequest[] = [];
  const turns = new Map<string, number>();
  let answers: Answers = {};
  const answerTo = (request: SeenRequest): Answer | 'hang up' => {
    const key = `${request.method} ${request.path}`;
    const found = answers[key];
    if (found === undefined)
      return {
        status: 404,
        body: { statusCode: 404, error: 'stream.api.endpointNotFound', message: `No answer for ${key}.` },
      };
    if (typeof found === 'function') return found(request);
    if (!Array.isArray(found)) return found as Answer;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return (found as readonly Answer[])[Math.min(turn, found.length - 1)] ?? {};
  };
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method = '', url: path = '', headers } = request;
      const noted = { method, path, headers, body: bytes.toString() };
      seen.push(noted);
      const answer = answerTo(noted);
      if (answer === 'hang up') return request.socket.destroy();
      const { status = 200, body = {}, headers: sent = {} } = answer;
      return response.writeHead(status, sent).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers = answersAt(url);
  return {
    url,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
