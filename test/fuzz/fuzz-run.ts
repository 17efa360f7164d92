import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { numberColumns, type Column, type Shop } from '../support/shop.ts';
import { startTimedSender, taken, type SentEvent } from '../support/timed-sender.ts';
import type { AttackOrder, AttackReport, RefusedRequest } from './attacker.ts';
import type { GrpcOrder } from './otlp/grpc-attacker.ts';
import { ownBytes } from './own-bytes.ts';
import { inThread } from './in-thread.ts';

export interface FuzzOptions {
  /** What the hostile source takes: plain events, or OpenTelemetry over HTTP and gRPC. */
  readonly kind: AttackOrder['kind'];
  readonly seed: number;
  readonly requests: number;
  readonly connections: number;
  /** Hostile requests a second; infinity: as many as there can be. */
  readonly rate: number;
  readonly say: (line: string) => void;
}

export interface FuzzReport extends AttackReport {
  readonly seconds: number;
  /** Events of the senders beside, and the milliseconds that their answers took. */
  readonly others: { readonly events: number; readonly p50: number; readonly p99: number; readonly longest: number };
  /** Of senders alone, before the attack, in the same run. */
  readonly alone: { readonly p50: number; readonly p99: number };
  /** Bytes of the process: before the attack, at most in its first half, and when it was over. */
  readonly memory: { readonly before: number; readonly half: number; readonly after: number };
}

/** What a request may be answered: everything else is a defect of the product. */
const allowed = new Set(
  [
    100, 200, 202, 204, 207, 400, 401, 403, 404, 405, 406, 408, 411, 413, 414, 415, 417, 426, 429, 431, 501, 503, 505,
  ].map(String),
);
/** Of calls over gRPC, without UNKNOWN and INTERNAL. */
for (const code of [0, 3, 4, 5, 8, 12, 14, 16])
  for (const kind of ['grpc', 'storm grpc']) allowed.add(`${kind} ${code}`);
/** What the library answers to what is no gRPC; HTTP/2 to more headers than there may be; and calls whose sender ended them. */
for (const end of ['http 405', 'http 415', 'grpc 13 for its timeout', 'reset 11', 'storm none', 'storm reset 8'])
  allowed.add(end);

const otlpColumns: readonly Column[] = [
  { type: 'headers', name: 'headers' },
  { type: 'body', name: 'body' },
  { type: 'path', name: 'made', path: 'attributes.a', defaultValue: '' },
];

const hostileColumns: readonly Column[] = [
  ...numberColumns,
  { type: 'body', name: 'body' },
  { type: 'headers', name: 'headers' },
  { type: 'path', name: 'a', path: 'a.b[0]', defaultValue: '' },
  { type: 'template', name: 'made', template: { language: 'jsonnet', content: 'std.length(BodyStr())' } },
];

/**
 * Sends hostile requests to one source while others send numbered events to theirs. Throws when the process ends, when an answer is
 * none that may be, when a well framed request gets none, when a request inside a body was carried out or one that was
 * refused is stored, when any event is lost or double, and when memory goes on growing.
 */
export async function fuzzRun({ kind, seed, requests, connections, rate, say }: FuzzOptions): Promise<FuzzReport> {
  await using installation = await Installation.start();
  const [hostile, trap, quiet] = ['hostile', 'trap', 'quiet'].map((id) => installation.shop(id));
  if (hostile === undefined || trap === undefined || quiet === undefined) throw new Error('three shops');
  const table = (id: string): { readonly sinkId: string; readonly tableId: string } => ({
    sinkId: 'all',
    tableId: `in.c-${id}.all`,
  });
  const columns = kind === 'otlp' ? otlpColumns : hostileColumns;
  await hostile.create([{ ...table('hostile'), columns }], { uploadCount: 20_000 }, kind === 'otlp' ? 'otlp' : 'http');
  await trap.create([table('trap')]);
  await quiet.create([table('quiet')], { uploadCount: 5000 });
  const attack = await attackOn(installation, { hostile, trap }, { kind, connections, rate });
  const others = startTimedSender({ url: await quiet.url(), connections: 2, pauseMs: 4 });
  await using _ = { [Symbol.asyncDispose]: async () => void (await others.stop()) };
  // What is compiled, and what is kept for the next request, is not what an attack leaves behind.
  await attack({ seed: seed + 1, requests: Math.ceil(requests / 20), storm: 0 });
  const restAt = performance.now();
  await sleep(2000);
  const pid = installation.process.child.pid ?? 0;
  const before = await ownBytes(pid);
  const startedAt = performance.now();
  let most = before;
  const watch = setInterval(() => void ownBytes(pid).then((bytes) => (most = Math.max(most, bytes))), 200);
  const half = { requests: Math.ceil(requests / 2), storm: Math.min(10_000, requests) };
  const first = await attack({ ...half, seed }).finally(() => clearInterval(watch));
  const second = await attack({ ...half, seed: seed + 2 });
  const report = together(first, second);
  const endedAt = performance.now();
  say(`${report.sent} requests in ${Math.round((endedAt - startedAt) / 1000)} s`);
  const events = await others.stop();
  await sleep(2000);
  const after = await ownBytes(pid);
  if (installation.process.child.exitCode !== null)
    throw new Error(`the process ended: ${installation.process.stderr()}`);
  if (after > 1.2 * most + 64 * 1024 ** 2) throw new Error(`it grew from ${most} to ${after} bytes in the second half`);
  await judge(report, installation, { hostile, trap, quiet, events });
  return {
    ...report,
    seconds: (endedAt - startedAt) / 1000,
    others: { events: events.length, ...times(events, startedAt, endedAt) },
    alone: times(events, restAt, startedAt),
    memory: { before, half: most, after },
  };
}

interface Scene {
  readonly hostile: Shop;
  readonly trap: Shop;
  readonly quiet: Shop;
  readonly events: readonly SentEvent[];
}

async function judge(
  { statuses, silent, refused: turnedAway }: AttackReport,
  installation: Installation,
  { hostile, trap, quiet, events }: Scene,
): Promise<void> {
  const odd = Object.keys(statuses).filter((status) => !allowed.has(status));
  if (odd.length > 0) throw new Error(`answers that may not be: ${odd.join(', ')}\n${installation.process.stderr()}`);
  if (silent.length > 0) {
    const told = installation.process.stderr().slice(-2000);
    throw new Error(`no answer to ${silent.length} that were well framed, first:\n${silent[0]}\n---\n${told}`);
  }
  const failures = installation.process
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  if (failures.length > 0)
    throw new Error(`the product logged failures of its own:\n${failures.slice(0, 5).join('\n')}`);
  const refused = events.length - taken(events).length;
  const others = [...new Set(events.map(({ status }) => status))].join(', ');
  if (refused > 0)
    throw new Error(`${refused} of ${events.length} events of the others were refused, all got ${others}`);
  for (const shop of [hostile, trap, quiet]) {
    await eventually(
      async () => {
        await shop.flush('all');
        const { totals } = await shop.progress('all');
        if (totals.inFlight + totals.staged + totals.difference !== 0) throw new Error(JSON.stringify(totals));
      },
      { withinMs: 300_000, everyMs: 500 },
    );
  }
  await requireNoneOf(turnedAway, hostile);
  const { totals: trapped } = await trap.progress('all');
  if (trapped.accepted > 0) throw new Error(`${trapped.accepted} requests inside bodies were carried out`);
  const numbers = await quiet.numbersIn('in.c-quiet.all');
  expectExactlyOnce(numbers, events);
  expectConserved(await quiet.progress('all'), numbers.length);
}

/** No event of a request that was refused is in the table. */
async function requireNoneOf(refused: readonly RefusedRequest[], { api }: Shop): Promise<void> {
  const none = new Map(refused.map(({ number, answer }) => [number, answer]));
  for await (const { headers = '' } of api.eachRow('in.c-hostile.all')) {
    const number = Number(/"x-number":"(\d+)"/i.exec(headers)?.[1]);
    if (none.has(number)) throw new Error(`D9: request ${number} was refused and is stored: ${none.get(number)}`);
  }
}

interface Wave {
  readonly seed: number;
  readonly requests: number;
  /** Calls over gRPC that are begun all at once and not ended. */
  readonly storm: number;
}

/** What attacks the hostile source: each time as often as it is told, over HTTP, or in halves over HTTP and gRPC. */
async function attackOn(
  { process: { ingest, otlpGrpc } }: Installation,
  { hostile, trap }: Pick<Scene, 'hostile' | 'trap'>,
  { kind, connections, rate }: Pick<FuzzOptions, 'kind' | 'connections' | 'rate'>,
): Promise<(wave: Wave) => Promise<AttackReport>> {
  const { pathname: trapPath } = new URL(await trap.url());
  const found = await hostile.api.call<{ http?: { url: string }; otlp?: OtlpTarget }>('GET', hostile.path);
  const path = new URL((kind === 'otlp' ? found.otlp?.url : found.http?.url) ?? '').pathname;
  const http = { kind, path, trap: trapPath, port: Number(new URL(ingest).port), connections, rate };
  let first = 1;
  return async ({ seed, requests, storm }) => {
    const shares = kind === 'otlp' ? 2 : 1;
    const share = Math.ceil(requests / shares);
    const overHttp = attack('attacker.ts', { ...http, seed, first, requests: share } satisfies AttackOrder);
    first += 2 * share;
    if (shares === 1) return overHttp;
    const overGrpc = attack('otlp/grpc-attacker.ts', {
      seed: seed + 7,
      port: Number(new URL(otlpGrpc).port),
      secret: found.otlp?.secret ?? '',
      first,
      calls: share,
      connections: Math.ceil(connections / 2),
      storm: { streams: storm, connections: Math.ceil(storm / 100) },
    } satisfies GrpcOrder);
    // More than are asked for: a lane ends when it has its share, in the middle of no connection.
    first += 2 * share + 100 * connections;
    const [one, other] = await Promise.all([overHttp, overGrpc]);
    return together(one, other);
  };
}

interface OtlpTarget {
  readonly url: string;
  readonly secret: string;
}

function attack(file: string, order: AttackOrder | GrpcOrder): Promise<AttackReport> {
  return inThread<AttackReport>(new URL(file, import.meta.url), order);
}

function together(one: AttackReport, other: AttackReport): AttackReport {
  const names = new Set([...Object.keys(one.statuses), ...Object.keys(other.statuses)]);
  return {
    sent: one.sent + other.sent,
    statuses: Object.fromEntries(
      [...names].toSorted().map((name) => [name, (one.statuses[name] ?? 0) + (other.statuses[name] ?? 0)]),
    ),
    silent: [...one.silent, ...other.silent],
    refused: [...one.refused, ...other.refused],
  };
}

function times(events: readonly SentEvent[], from: number, to: number): { p50: number; p99: number; longest: number } {
  const took = events
    .filter(({ startedAt, endedAt }) => startedAt >= from && endedAt <= to)
    .map(({ startedAt, endedAt }) => endedAt - startedAt)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}
