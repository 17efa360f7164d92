import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What the load generator sends: the same bytes again and again on every connection, one request in flight on each. */
export interface HttpLoad {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests of this first part of the time are not counted. */
  readonly warmUpMs: number;
  /** A whole HTTP/1.1 request, head and body. */
  readonly request: Uint8Array;
  /** Requests in flight at the end are waited for, and count; else they are cut off. */
  readonly awaitsAll?: boolean;
}

export interface HttpLoadResult {
  /** Answers with a 2xx status inside the counted time. */
  readonly answers: number;
  readonly perSecond: number;
  /** Answers with another status, and connections that broke. */
  readonly failures: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
}

/** The bytes of a POST request; `headers` is a flat list. */
export function rawPost(path: string, body: Uint8Array, headers: readonly string[] = []): Uint8Array {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${body.length}`];
  for (let index = 0; index + 1 < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Runs the load in a worker thread, so that the server under test has a thread of its own. */
export async function runHttpLoad(load: HttpLoad): Promise<HttpLoadResult> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { httpLoad: load } });
  try {
    return await new Promise<HttpLoadResult>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the load generator ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}

const headEnd = Buffer.from('\r\n\r\n');

class Connection {
  readonly #socket: Socket;
  readonly #request: Uint8Array;
  readonly #onAnswer: (ok: boolean, startedAt: number) => void;
  #pending: Buffer | undefined;
  #startedAt = 0;
  /** Length of the last answer: answers are alike, so most need no look at their head. */
  #length = -1;
  stopped = false;
  readonly #lastAnswer = Promise.withResolvers<void>();

  constructor(load: HttpLoad, onAnswer: (ok: boolean, startedAt: number) => void, onBreak: () => void) {
    this.#request = load.request;
    this.#onAnswer = onAnswer;
    this.#socket = connect({ host: load.host, port: load.port, noDelay: true });
    this.#socket.on('connect', () => this.#send());
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      if (!this.stopped) onBreak();
      this.#lastAnswer.resolve();
    });
  }

  /** Resolves when the request in flight has its answer. */
  finish(): Promise<void> {
    this.stopped = true;
    return this.#lastAnswer.promise;
  }

  stop(): void {
    this.stopped = true;
    this.#socket.destroy();
  }

  #send(): void {
    this.#startedAt = performance.now();
    this.#socket.write(this.#request);
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    if (bytes.length !== this.#length) {
      const length = answerLength(bytes);
      if (length === undefined || bytes.length < length) {
        this.#pending = bytes;
        return;
      }
      this.#length = length;
    }
    this.#pending = undefined;
    // Byte 9 is the first digit of the status: `HTTP/1.1 200`.
    this.#onAnswer(bytes[9] === 0x32, this.#startedAt);
    if (this.stopped) this.#lastAnswer.resolve();
    else this.#send();
  }
}

function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const declared = /content-length: *([0-9]+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  return end + headEnd.length + Number(declared ?? 0);
}

async function generate(load: HttpLoad): Promise<HttpLoadResult> {
  const latencies: number[] = [];
  let failures = 0;
  let counting = false;
  const onAnswer = (ok: boolean, startedAt: number): void => {
    if (!counting) return;
    if (ok) latencies.push(performance.now() - startedAt);
    else failures += 1;
  };
  const onBreak = (): void => {
    failures += 1;
  };
  const connections = Array.from({ length: load.connections }, () => new Connection(load, onAnswer, onBreak));
  await new Promise((resolve) => setTimeout(resolve, load.warmUpMs));
  counting = true;
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, load.durationMs));
  if (load.awaitsAll === true) await Promise.all(connections.map((connection) => connection.finish()));
  const seconds = (performance.now() - startedAt) / 1000;
  counting = false;
  for (const connection of connections) connection.stop();
  latencies.sort((a, b) => a - b);
  const quantile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    answers: latencies.length,
    perSecond: latencies.length / seconds,
    failures,
    latencyMs: { p50: quantile(0.5), p99: quantile(0.99) },
  };
}

function loadOfThisWorker(): HttpLoad | undefined {
  if (isMainThread) return undefined;
  return (workerData as { readonly httpLoad?: HttpLoad } | null)?.httpLoad;
}

const own = loadOfThisWorker();
if (own !== undefined) parentPort?.postMessage(await generate(own));
