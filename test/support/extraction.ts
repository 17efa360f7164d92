import { createServer, request as requestOf, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/core/clock.ts';
import type { Extraction, ExtractionProgress, ExtractionRun } from '../../src/extractor/extraction.ts';
import { runExtraction } from '../../src/extractor/run-extraction.ts';
import type { JsonObject, JsonValue } from '../../src/extractor/values/json-value.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../src/ports/http-client.ts';
import { csvCells } from './csv-cells.ts';
import { MemorySpool } from './memory-spool.ts';
import { KeptLog } from './scripted-api.ts';

/** What the API was asked. */
export interface Asked {
  readonly method: string;
  /** With its query, from the first slash on. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer that is no JSON text with status 200. */
export class Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text = '', headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.text = text;
    this.headers = headers;
  }
}

/** Answers one after the other, or by what is asked. Without an answer: 404. */
export type Replies = readonly (JsonValue | Answer)[] | ((asked: Asked, at: number) => JsonValue | Answer | undefined);

/** A small API on this machine; its address is that of `base`. */
export interface MockApi extends AsyncDisposable {
  readonly base: string;
  readonly asked: readonly Asked[];
}

export async function startMockApi(replies: Replies): Promise<MockApi> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(pieces).toString() };
      const at = asked.push(one) - 1;
      const reply = typeof replies === 'function' ? replies(one, at) : replies[at];
      const answer =
        reply instanceof Answer
          ? reply
          : reply === undefined
            ? new Answer(404, 'no such page')
            : new Answer(200, JSON.stringify(reply));
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends requests as they are: no redirects, no retries. */
export class PlainHttpClient implements HttpClient, AsyncDisposable {
  isClosed = false;

  send({ method, url, headers, body }: HttpRequest, { signal }: { readonly signal: AbortSignal }): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const sent = requestOf(url, { method, headers, signal, agent: false }, (response) => {
        const pieces: Buffer[] = [];
        response.on('error', reject).on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const got = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          const known = Object.fromEntries(got) as Record<string, string>;
          resolve({ status: response.statusCode ?? 0, headers: known, body: Buffer.concat(pieces), url });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
  }
}

/** Time that goes on by what is slept, at once. */
export class SleepingClock implements Clock {
  readonly slept: number[] = [];
  readonly #start: number;
  #passed = 0;

  constructor(start = Date.UTC(2024, 5, 1)) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#passed;
  }

  monotonic(): number {
    return this.#passed;
  }

  async sleep(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(ms);
    this.pass(ms);
  }

  pass(ms: number): void {
    this.#passed += ms;
  }
}

export interface Extracted {
  /** `GET /users?limit=2`, of a POST the body behind a blank; the address of the API is `http://api/`. */
  readonly asked: readonly string[];
  readonly requests: readonly Asked[];
  /** By the names of files: the columns, then the rows. */
  readonly tables: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly extraction: Extraction | undefined;
  readonly log: readonly string[];
  /** What it ended with; undefined: it ended well. */
  readonly error: unknown;
  /** Its text. */
  readonly failure: string | undefined;
  /** Waits, in milliseconds. */
  readonly slept: readonly number[];
  readonly progress: readonly ExtractionProgress[];
}

export interface ExtractOptions extends Partial<Omit<ExtractionRun, 'configuration' | 'log' | 'clock'>> {
  readonly clock?: SleepingClock;
  readonly signal?: AbortSignal;
  /** `config.debug`; default: true. */
  readonly isSilent?: boolean;
}

/** Runs a configuration to its end against a mock API; `http://api/` in it is the address of that. */
export async function extract(
  configuration: JsonValue,
  replies: Replies,
  options: ExtractOptions = {},
): Promise<Extracted> {
  await using api = await startMockApi(replies);
  const { clock = new SleepingClock(), spool = new MemorySpool(), signal = new AbortController().signal } = options;
  const log = new KeptLog();
  const progress: ExtractionProgress[] = [];
  const placed = JSON.parse(JSON.stringify(configuration).replaceAll('http://api/', api.base)) as JsonValue;
  const shown = (text: string): string => text.replaceAll(api.base, 'http://api/');
  let extraction: Extraction | undefined;
  let error: unknown;
  try {
    extraction = await runExtraction(
      {
        openHttp: () => new PlainHttpClient(),
        random: () => 0.5,
        onProgress: (one) => progress.push(one),
        ...options,
        configuration: placed,
        clock,
        log,
        spool,
      },
      { signal },
    );
  } catch (thrown) {
    error = thrown;
  }
  return {
    asked: api.asked.map(({ method, path, body }) => `${method} ${path}${body === '' ? '' : ` ${body}`}`),
    requests: api.asked,
    tables: await tablesOf(extraction),
    extraction,
    log: log.lines.map(shown),
    error,
    failure: error === undefined ? undefined : shown((error as Error).message),
    slept: clock.slept,
    progress,
  };
}

async function tablesOf(extraction: Extraction | undefined): Promise<Extracted['tables']> {
  const tables: Record<string, readonly (readonly string[])[]> = {};
  for (const { fileName, columns, csv } of extraction?.tables ?? []) {
    const rows = await csvCells(csv());
    tables[fileName] = [columns, ...rows.map((row) => row.map((cell) => cell.replaceAll(/_[0-9a-f]{32}$/g, '_#')))];
  }
  return tables;
}

/** A configuration whose jobs ask `http://api/`. */
export function configurationOf(api: JsonObject, config: JsonObject, more: JsonObject = {}): JsonObject {
  return { parameters: { api: { baseUrl: 'http://api/', ...api }, config: { debug: true, ...config }, ...more } };
}
