/** A thread that makes hostile calls over gRPC, and counts what it was answered. */
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { methods } from '../../../src/stages/ingest/otlp-grpc/route.ts';
import type { AttackReport, RefusedRequest } from '../attacker.ts';
import { Dice } from '../random.ts';
import { makeCall, noTimeout, type HostileCall } from './grpc-calls.ts';
import { OtlpBodies } from './otlp-bodies.ts';
import { makeRawBytes } from './raw-frames.ts';

export interface GrpcOrder {
  readonly seed: number;
  readonly port: number;
  readonly secret: string;
  /** Number of the first call. */
  readonly first: number;
  readonly calls: number;
  /** At a time. */
  readonly connections: number;
  /** Calls that are begun and not ended, all at once, before the others; of so many connections. */
  readonly storm: { readonly streams: number; readonly connections: number };
}

const order = workerData as GrpcOrder;
const bodies = new OtlpBodies(order.seed);
const statuses: Record<string, number> = {};
const silent: string[] = [];
const refused: RefusedRequest[] = [];
let sent = 0;
let next = order.first;

const patienceMs = 30_000;
/** The last time for the status of a call that has no end. */
const glanceMs = 20;
/** INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED, UNIMPLEMENTED, UNAUTHENTICATED: after these nothing is stored. */
const invalidTimeout = 'grpc 13 for its timeout';
const refusing = new Set([invalidTimeout, 'grpc 3', 'grpc 5', 'grpc 8', 'grpc 12', 'grpc 16']);

/** What came of a call: its status, that of HTTP, or how its stream ended. */
function outcomeOf(stream: ClientHttp2Stream): Promise<string> {
  return new Promise((resolve) => {
    let http = '';
    stream.on('response', (headers) => {
      if (headers['grpc-status'] !== undefined) resolve(`grpc ${String(headers['grpc-status'])}`);
      else if (headers[':status'] !== 200) http = `http ${headers[':status']}`;
    });
    stream.on('trailers', (trailers: Readonly<Record<string, unknown>>) =>
      resolve(`grpc ${String(trailers['grpc-status'])}`),
    );
    stream.on('close', () => {
      if (http !== '') resolve(http);
      else resolve(stream.rstCode === 0 ? 'none' : `reset ${stream.rstCode}`);
    });
    stream.on('error', () => undefined);
    stream.resume();
  });
}

async function write(stream: ClientHttp2Stream, { pieces, isSlow, end }: HostileCall): Promise<void> {
  for (const piece of pieces) {
    if (stream.destroyed) return;
    stream.write(piece);
    if (isSlow) await sleep(1);
  }
  if (end === 'whole') stream.end();
  else if (end !== 'never') stream.close(end);
}

async function makeOne(session: ClientHttp2Session, dice: Dice): Promise<void> {
  const number = next++;
  const call = makeCall(dice, bodies, { secret: order.secret, number });
  sent += 1;
  const stream = session.request(call.headers);
  const outcome = outcomeOf(stream);
  await write(stream, call);
  const waiting = new AbortController();
  const patience = sleep(call.isFramed ? patienceMs : glanceMs, 'none', { signal: waiting.signal });
  const told = await Promise.race([outcome, patience]);
  // The library answers so, as that of Go does.
  const what = told === 'grpc 13' && call.headers['grpc-timeout'] === noTimeout ? invalidTimeout : told;
  waiting.abort();
  patience.catch(() => undefined);
  const isOwn = !call.isFramed && what.startsWith('reset');
  if (what === 'reset 1' && call.isFramed) silent.push(`reset of call ${number}: ${JSON.stringify(call.headers)}`);
  else if (what !== 'none' && !isOwn) statuses[what] = (statuses[what] ?? 0) + 1;
  else if (call.isFramed && !session.destroyed) silent.push(`call ${number}: ${JSON.stringify(call.headers)}`);
  if (refusing.has(what)) refused.push({ number, answer: what });
  stream.destroy();
}

function open(): ClientHttp2Session {
  const session = connectHttp2(`http://127.0.0.1:${order.port}`);
  session.on('error', () => undefined);
  return session;
}

async function visit(dice: Dice, calls: number): Promise<void> {
  const session = open();
  await Promise.all(Array.from({ length: calls }, () => makeOne(session, dice)));
  if (dice.chance(50)) session.destroy();
  else session.close();
}

async function sendRaw(dice: Dice): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: order.port });
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(makeRawBytes(dice));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, sleep(glanceMs)]);
  socket.resetAndDestroy();
}

async function lane(seed: number, share: number): Promise<void> {
  const dice = new Dice(seed);
  for (let done = 0; done < share;) {
    const calls = dice.number(1, 40);
    await (dice.chance(15) ? sendRaw(dice) : visit(dice, calls));
    done += calls;
  }
}

/** Calls that are begun and wait, each with a part of its message; then half of them are reset, and the others lose their connection. */
async function storm({ streams, connections }: GrpcOrder['storm']): Promise<void> {
  const sessions = Array.from({ length: connections }, open);
  const begun: ClientHttp2Stream[] = [];
  for (const session of sessions)
    for (let more = Math.ceil(streams / connections); more > 0; more -= 1) {
      const stream = session.request({
        ':method': 'POST',
        ':path': methods.traces,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${order.secret}`,
      });
      sent += 1;
      void outcomeOf(stream).then((what) => (statuses[`storm ${what}`] = (statuses[`storm ${what}`] ?? 0) + 1));
      stream.write(Buffer.from([0, 0, 0, 16, 0, 1, 2, 3]));
      begun.push(stream);
    }
  await sleep(streams > 0 ? 3000 : 0);
  for (const [index, stream] of begun.entries()) if (index % 2 === 0) stream.close(8);
  await sleep(streams > 0 ? 200 : 0);
  for (const session of sessions) session.destroy();
}

await storm(order.storm);
const share = Math.ceil(order.calls / order.connections);
await Promise.all(Array.from({ length: order.connections }, (_, index) => lane(order.seed * 1000 + index, share)));
parentPort?.postMessage({ sent, statuses, silent, refused } satisfies AttackReport);
