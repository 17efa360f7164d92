import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { requestOf, type Plain } from './otlp-messages.ts';

/** A span as a server of OTLP got it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the trace begins with it. */
  readonly parentId: string;
  readonly state: string;
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Undefined: it ended well. */
  readonly failure: string | undefined;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** What the server does with a request: takes it, refuses it, never answers, or answers without an end, a byte now and then. */
export type Manner = 'takes' | 'refuses' | 'hangs' | 'drips';

/** Takes traces by OTLP over HTTP, as a Collector would, and keeps their spans. */
export class SpanServer implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** Of the requests. */
  readonly headers: IncomingHttpHeaders[] = [];
  manner: Manner = 'takes';
  readonly #server = createServer((request, response) => {
    void buffer(request).then((body) => this.#take(body, request.headers, response));
  });

  static async start(port = 0): Promise<SpanServer> {
    const server = new SpanServer();
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Those of a trace, in the order of their beginning. */
  of(traceId: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId).toSorted((a, b) => a.startedAt - b.startedAt);
  }

  #take(body: Buffer, headers: IncomingHttpHeaders, response: ServerResponse): void {
    this.headers.push(headers);
    if (this.manner === 'hangs') return;
    if (this.manner === 'drips') {
      const drip = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(drip)).writeHead(200);
      return;
    }
    if (this.manner === 'refuses') {
      response.writeHead(400).end();
      return;
    }
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    const request = isJson ? snakeCased(JSON.parse(body.toString()) as Plain) : requestOf('traces', body);
    for (const ofResource of list(request['resource_spans'])) {
      const resource = attributesOf((ofResource['resource'] as Plain | undefined) ?? {});
      for (const ofScope of list(ofResource['scope_spans']))
        for (const span of list(ofScope['spans'])) this.spans.push({ ...spanOf(span), resource });
    }
    response.writeHead(200, { 'Content-Type': headers['content-type'] }).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function spanOf(span: Plain): Omit<ReceivedSpan, 'resource'> {
  const status = (span['status'] ?? {}) as { readonly code?: number | string; readonly message?: string };
  const isFailed = status.code === 2 || status.code === 'STATUS_CODE_ERROR';
  return {
    name: String(span['name']),
    traceId: hex(span['trace_id']),
    spanId: hex(span['span_id']),
    parentId: hex(span['parent_span_id']),
    state: (span['trace_state'] ?? '') as string,
    kind: Number(span['kind']),
    startedAt: Number(span['start_time_unix_nano']) / 1e6,
    endedAt: Number(span['end_time_unix_nano']) / 1e6,
    attributes: attributesOf(span),
    links: list(span['links']).map((link) => ({ traceId: hex(link['trace_id']), spanId: hex(link['span_id']) })),
    failure: isFailed ? (status.message ?? '') : undefined,
  };
}

function attributesOf(owner: Plain): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    list(owner['attributes']).map(({ key, value }) => {
      const { int_value: whole, string_value: text } = (value ?? {}) as Plain;
      return [String(key), whole === undefined ? text : Number(whole)];
    }),
  );
}

function hex(id: unknown): string {
  if (id === undefined || id === null) return '';
  return typeof id === 'string' ? id : Buffer.from(id as Uint8Array).toString('hex');
}

function list(value: unknown): readonly Plain[] {
  return (value ?? []) as readonly Plain[];
}

/** JSON of OTLP has its names in camel case. */
function snakeCased(value: Plain): Plain {
  const named = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(named);
    return typeof each === 'object' && each !== null ? snakeCased(each as Plain) : each;
  };
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snake(name), named(each)]));
}
