/** A thread that sends hostile requests, as many and as quickly as it is told, and counts what it was answered. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Body } from './bodies.ts';
import { OtlpBodies } from './otlp/otlp-bodies.ts';
import { Dice } from './random.ts';
import { makeRequest, type HostileRequest, type Victim } from './requests.ts';

export interface AttackOrder extends Victim {
  readonly seed: number;
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests a second, of all connections; infinity: as many as there can be. */
  readonly rate: number;
  /** Number of the first request. */
  readonly first: number;
  readonly kind: 'events' | 'otlp';
}

export interface AttackReport {
  readonly sent: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Well framed requests without an answer, each with its beginning. */
  readonly silent: readonly string[];
  /** The requests that were refused for good: nothing of them may be stored. */
  readonly refused: readonly RefusedRequest[];
}

export interface RefusedRequest {
  readonly number: number;
  /** For people: how it was answered. */
  readonly answer: string;
}

const order = workerData as AttackOrder;
const statuses: Record<string, number> = {};
const silent: string[] = [];
const refused: RefusedRequest[] = [];
const otlp = order.kind === 'otlp' ? new OtlpBodies(order.seed) : undefined;
let sent = 0;
let next = order.first;

/** For so long an answer is waited for. */
const patienceMs = 30_000;
/** Of what is cut off while so much is still on its way, the system may throw the answer away with the connection. */
const cutBytes = 256 * 1024;
/** One that this thread is so late to send its first byte on may be cut: the product waits 5 seconds for it. */
const firstByteMs = 4_000;
/** A connection whose request has no end gets no answer; it is looked after for so long. */
const glanceMs = 20;

/** A connection and the statuses that came over it. */
class Line {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  /** When this thread was told that it is there, which is when its first bytes left. */
  connectedAt: number | undefined;
  /** Of each answer, in the order of the requests. */
  readonly answers: number[] = [];
  #rest = '';
  #heard = (): void => undefined;

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('connect', () => (this.connectedAt = performance.now()));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        resolve();
        this.#heard();
      });
    });
    this.socket.on('data', (chunk) => this.#hear(chunk.toString()));
  }

  /** Resolves when so many answers have come, the connection has ended, or it takes too long: then false. */
  async heard(answers: number, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (this.answers.length < answers && !this.socket.destroyed) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      const waiting = new AbortController();
      await Promise.race([
        new Promise<void>((resolve) => (this.#heard = resolve)),
        sleep(left, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
    }
    return true;
  }

  #hear(chunk: string): void {
    const text = this.#rest + chunk;
    let end = 0;
    for (const { 0: found, 1: status = '', index } of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== '100') this.answers.push(Number(status));
      end = index + found.length;
    }
    // A status line may come in two parts.
    this.#rest = text.slice(Math.max(end, text.length - 16));
    this.#heard();
  }
}

/** Sends some requests over one connection, the next ones before the first is answered; one that is not framed ends it. */
async function visit(requests: readonly HostileRequest[]): Promise<void> {
  const line = new Line(order.port);
  const startedAt = performance.now();
  const framed = requests.filter(({ isFramed }) => isFramed).length;
  line.socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)));
  sent += requests.length;
  const bytes = requests.reduce((sum, request) => sum + request.bytes.length, 0);
  const isHeard =
    framed === 0 || ((await line.heard(framed, patienceMs)) && (line.answers.length > 0 || bytes > cutBytes));
  const connectMs = Math.round((line.connectedAt ?? startedAt) - startedAt);
  if (!isHeard && connectMs < firstByteMs) {
    const ms = Math.round(performance.now() - startedAt);
    const state = line.socket.destroyed ? 'closed' : 'open';
    const end = `${line.answers.length} answers, ${state} after ${ms} ms, connected after ${connectMs}`;
    silent.push(
      [end, ...requests.map(({ bytes: sentBytes }) => sentBytes.subarray(0, 300).toString('latin1'))].join('\n---\n'),
    );
  } else if (framed < requests.length) await Promise.race([line.closed, sleep(glanceMs)]);
  for (const [index, status] of line.answers.entries()) {
    const request = requests[index];
    if (status >= 400 && status < 500 && request?.isFramed === true)
      refused.push({ number: request.number, answer: `${status} of ${line.answers.join(' ')}, to ${head(request)}` });
  }
  line.socket.resetAndDestroy();
}

/** The beginning of a request, for people. */
function head({ bytes }: HostileRequest): string {
  return JSON.stringify(bytes.subarray(0, 120).toString('latin1'));
}

function bodyOf(dice: Dice): Body | undefined {
  if (otlp === undefined) return undefined;
  const { signal, encoding, body: bytes, coding: contentEncoding } = otlp.makeCoded(dice);
  const below = `/v1/${dice.chance(98) ? signal : dice.pick(['', 'Logs', 'profiles', 'logs/', '%6cogs'])}`;
  const right = encoding === 'json' ? 'application/json' : 'application/x-protobuf';
  const contentType = dice.chance(95)
    ? right
    : dice.pick(['', 'text/plain', 'application/protobuf; a=b', 'application/grpc']);
  return { bytes, contentType, contentEncoding, below };
}

async function lane(seed: number, share: number): Promise<void> {
  const dice = new Dice(seed);
  const startedAt = performance.now();
  for (let done = 0; done < share;) {
    const requests: HostileRequest[] = [];
    for (let more = dice.number(1, 12); more > 0; more -= 1) {
      const body = bodyOf(dice);
      const request = makeRequest(dice, order, { number: next++, ...(body === undefined ? {} : { body }) });
      requests.push(request);
      if (!request.isFramed) break;
    }
    await visit(requests);
    done += requests.length;
    const ahead = (done * 1000 * order.connections) / order.rate - (performance.now() - startedAt);
    if (ahead > 1) await sleep(ahead);
  }
}

const share = Math.ceil(order.requests / order.connections);
await Promise.all(Array.from({ length: order.connections }, (_, index) => lane(order.seed * 1000 + index, share)));
parentPort?.postMessage({ sent, statuses, silent, refused } satisfies AttackReport);
