import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { otlpFaces, startOtlpSender, type OtlpSender } from '../chaos/otlp/otlp-sender.ts';
import { createTelemetry, telemetrySinkPath, telemetrySinks } from '../chaos/otlp/telemetry.ts';
import { verifyTelemetry } from '../chaos/otlp/verify-telemetry.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-hang-'));
const order = join(folder, 'order');
let installation: Installation;

beforeAll(async () => {
  const env = { MILLRACE_THREADS: '2', HANG_ORDER: order, MILLRACE_LOG_LEVEL: 'error' };
  installation = await Installation.start({ entry: 'hanging-process', env });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What the library of the senders says, as INTERNAL, when its own write to a connection that was closed fails: nobody answered. */
const ownErrors = /triggered by internal client error/;

/** How many threads that take events were given up. */
async function silences(): Promise<number> {
  const page = await (await fetch(`${installation.process.admin}/metrics`)).text();
  const counts = page.matchAll(
    /^millrace_service_failures_total\{service="ingest[-0-9]*",code="thread.silent"\} ([0-9]+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function isReady(): Promise<boolean> {
  return (await fetch(`${installation.process.admin}/health/ready`)).ok;
}

/**
 * One thread that takes events hangs, and is replaced; or it takes the process with it, of a defect of Node that the documents name,
 * and that is started again. Answers which.
 */
async function hang(): Promise<'replaced' | 'restarted'> {
  const { process } = installation;
  const { child, ended } = process;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const before = await silences();
  writeFileSync(order, 'ingest loop');
  const isOver = async (): Promise<boolean> => hasEnded() || (await silences()) > before;
  await eventually(async () => expect(await isOver()).toBe(true));
  // It ends a moment after the thread, if it does.
  await eventually(async () => expect(hasEnded() || (await isReady())).toBe(true));
  if (!hasEnded()) return 'replaced';
  expect(await ended).toBe('SIGABRT');
  expect(process.stderr()).toContain('onread->IsFunction()');
  await installation.start();
  return 'restarted';
}

async function goesOn({ acknowledged, lastAnswers }: OtlpSender): Promise<void> {
  const before = { ...acknowledged };
  await eventually(() => {
    for (const face of otlpFaces)
      expect(acknowledged[face], `${face}: ${lastAnswers[face]}`).toBeGreaterThan(before[face] + 50);
  });
}

it('D2, D3, L2: senders of OpenTelemetry to a thread that hangs are told that it is away, go on, and have each record once', async () => {
  const { api } = installation.shop();
  const { path, secret } = await createTelemetry(api);
  const sender = startOtlpSender({
    url: `${installation.process.ingest}${path}`,
    secret,
    grpcPort: Number(new URL(installation.process.otlpGrpc).port),
    pauseMs: 2,
    lanes: 6,
  });
  const ends: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await goesOn(sender);
    ends.push(await hang());
  }
  process.stderr.write(`the process with a thread that hung was ${ends.join(', ')}\n`);
  await goesOn(sender);
  const told = await sender.stop();
  const overGrpc = sender.refusals.filter(({ face }) => face === 'gRPC');
  expect(overGrpc.length).toBeGreaterThan(0);
  // None waits until its deadline has passed.
  const others = overGrpc.filter(({ code, text }) => code !== status.UNAVAILABLE && !ownErrors.test(text));
  expect(others.map(({ code, text }) => `${code}: ${text}`)).toEqual([]);
  for (const sink of telemetrySinks) await api.task('POST', `${telemetrySinkPath(sink)}/flush`);
  expect((await verifyTelemetry(api, told)).acknowledged).toBeGreaterThan(500);
  expect(await installation.stop('SIGTERM')).toBe('0');
});
