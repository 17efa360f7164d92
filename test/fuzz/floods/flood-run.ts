import { deliverAll } from '../../chaos/deliver-all.ts';
import { createTelemetry, telemetrySinkPath, telemetrySinks } from '../../chaos/otlp/telemetry.ts';
import { otlpFaces, startOtlpSender, type OtlpFace, type OtlpSender } from '../../chaos/otlp/otlp-sender.ts';
import { verifyTelemetry } from '../../chaos/otlp/verify-telemetry.ts';
import { Installation, rootToken } from '../../support/installation.ts';
import { Api } from '../../support/api.ts';
import { inThread } from '../in-thread.ts';
import { ownBytes } from '../own-bytes.ts';
import type { FloodOrder, FloodReport } from './flooder.ts';
import { floodsOf } from './floods.ts';

export interface FloodRunOptions {
  /** Of each flood, in milliseconds. */
  readonly ms: number;
  /** Connections of a flood at a time. */
  readonly connections: number;
  /** Floods alone whose name has this; the others are left out. */
  readonly only?: string;
  readonly onFlood?: (outcome: FloodOutcome) => void;
}

export interface FloodOutcome extends FloodReport {
  readonly name: string;
  /** Answers that others got meanwhile, and the longest that one of them waited. */
  readonly others: Readonly<Record<OtlpFace, { readonly answers: number; readonly longestMs: number }>>;
  /** Bytes of the process: before, at most in the first and the second half, and when it was over. */
  readonly memory: { readonly before: number; readonly first: number; readonly second: number; readonly after: number };
}

/** Bytes that two halves may differ by without growing. */
const slackBytes = 64 * 1024 ** 2;
/** Others are answered within this, however busy the machine is: sooner than they give up. */
const patienceMs = 25_000;

/**
 * Floods the listener of OTLP over gRPC in one way after the other, while others send telemetry over every face. Throws when the process
 * ends or logs a failure of its own, when one of the others is refused, waits too long or loses a record, and when memory goes on growing.
 */
export async function floodRun({
  ms,
  connections,
  only = '',
  onFlood,
}: FloodRunOptions): Promise<readonly FloodOutcome[]> {
  await using installation = await Installation.start();
  const { process } = installation;
  const api = new Api(process.admin, rootToken);
  const { path, secret } = await createTelemetry(api);
  const grpcPort = Number(new URL(process.otlpGrpc).port);
  const others = startOtlpSender({ url: `${process.ingest}${path}`, secret, grpcPort, pauseMs: 20 });
  await using _ = { [Symbol.asyncDispose]: async () => void (await others.stop()) };
  const victim = { pid: process.child.pid ?? 0, others };
  const outcomes: FloodOutcome[] = [];
  for (const { name } of floodsOf(secret).filter((flood) => flood.name.includes(only))) {
    const outcome = await floodOnce({ flood: name, port: grpcPort, secret, connections, ms }, victim);
    if (process.child.exitCode !== null) throw new Error(`the process ended by ${name}:\n${process.stderr()}`);
    onFlood?.(outcome);
    outcomes.push(outcome);
  }
  const told = await others.stop();
  for (const outcome of outcomes) judge(outcome);
  requireCalm(process.stderr());
  const refused = told.filter((one) => one !== 'acknowledged').length;
  if (refused > 0)
    throw new Error(
      `${refused} of ${told.length} requests of others failed, last: ${JSON.stringify(others.lastAnswers)}`,
    );
  await deliverAll(api, telemetrySinks.map(telemetrySinkPath));
  await verifyTelemetry(api, told);
  return outcomes;
}

function requireCalm(log: string): void {
  const failures = log.split('\n').filter((line) => line.includes('"level":"error"'));
  if (failures.length > 0)
    throw new Error(`the product logged failures of its own:\n${failures.slice(0, 5).join('\n')}`);
}

interface Victim {
  readonly pid: number;
  readonly others: OtlpSender;
}

async function floodOnce(order: FloodOrder, { pid, others }: Victim): Promise<FloodOutcome> {
  const before = await ownBytes(pid);
  const from = otlpFaces.map((face) => others.waited[face].length);
  const startedAt = performance.now();
  let [first, second] = [0, 0];
  const look = async (): Promise<void> => {
    const bytes = await ownBytes(pid);
    if (performance.now() - startedAt < order.ms / 2) first = Math.max(first, bytes);
    else second = Math.max(second, bytes);
  };
  const watch = setInterval(() => void look(), 50);
  const report = await inThread<FloodReport>(new URL('flooder.ts', import.meta.url), order).finally(() =>
    clearInterval(watch),
  );
  const answers = otlpFaces.map((face, index) => {
    const waited = others.waited[face].slice(from[index]);
    return [face, { answers: waited.length, longestMs: Math.max(0, ...waited) }] as const;
  });
  return {
    ...report,
    name: order.flood,
    others: Object.fromEntries(answers) as FloodOutcome['others'],
    memory: { before, first, second, after: await ownBytes(pid) },
  };
}

function judge({ name, others, memory }: FloodOutcome): void {
  for (const [face, { answers, longestMs }] of Object.entries(others)) {
    if (answers === 0) throw new Error(`nobody was answered over ${face} in the flood of ${name}`);
    if (longestMs > patienceMs) throw new Error(`an answer over ${face} took ${longestMs} ms in the flood of ${name}`);
  }
  if (memory.second > 1.2 * memory.first + slackBytes)
    throw new Error(`memory grew from ${memory.first} to ${memory.second} bytes in the flood of ${name}`);
}
