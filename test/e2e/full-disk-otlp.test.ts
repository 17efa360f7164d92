import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otlpFaces, startOtlpSender, type OtlpFace, type OtlpSender } from '../chaos/otlp/otlp-sender.ts';
import {
  createTelemetry,
  otlpRequest,
  protobufOf,
  telemetrySinkPath,
  telemetrySinks,
} from '../chaos/otlp/telemetry.ts';
import { verifyTelemetry } from '../chaos/otlp/verify-telemetry.ts';
import { eventually } from '../support/eventually.ts';
import { fill } from '../support/fill-disk.ts';
import { Installation } from '../support/installation.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';

const disk = TemporaryDisk.mount(256);
const ballast = join(disk?.path ?? '', 'ballast');
let installation: Installation;

/** As OTLP has it for what a sender may try again. */
const codes: Readonly<Record<OtlpFace, number>> = {
  'HTTP in protobuf': 503,
  'HTTP in JSON': 503,
  gRPC: status.UNAVAILABLE,
};
const reason = 'The disk is full: events are taken again when there is space.';

describe.skipIf(disk === undefined)('OpenTelemetry on a full disk', () => {
  beforeAll(async () => {
    installation = await Installation.start({ folder: disk?.path ?? '', env: { MILLRACE_THREADS: '2' } });
  });

  afterAll(async () => {
    await installation[Symbol.asyncDispose]();
    disk?.[Symbol.dispose]();
  });

  it('D2, D3, D8: is told over each way in to come later, goes on when there is space, and nothing of what was refused is stored', async () => {
    const { api } = installation.shop();
    const { path, secret } = await createTelemetry(api);
    const url = `${installation.process.ingest}${path}`;
    const grpcPort = Number(new URL(installation.process.otlpGrpc).port);
    const sender = startOtlpSender({ url, secret, grpcPort, pauseMs: 2, lanes: 4 });
    await goesOn(sender);
    for (let round = 0; round < 4; round += 1) {
      fill(ballast, 256);
      await refuses(sender);
      expect(await retryAfterOf(url)).toBeGreaterThan(0);
      rmSync(ballast);
      await goesOn(sender);
    }
    const told = [...(await sender.stop())];
    const full = sender.refusals.filter(({ text }) => text.includes(reason));
    for (const { face, code } of full) expect(code).toBe(codes[face]);
    for (const { retryAfter } of full.filter(({ face }) => face === 'gRPC')) expect(retryAfter).toBeGreaterThan(0);
    expect(sender.refusals.filter((refusal) => !full.includes(refusal))).toEqual([]);
    for (const { index } of full) told[index] = 'refused';
    for (const sink of telemetrySinks) await api.task('POST', `${telemetrySinkPath(sink)}/flush`);
    expect((await verifyTelemetry(api, told)).unacknowledgedButStored).toBe(0);
    expect(await installation.stop('SIGTERM')).toBe('0');
  });
});

async function refuses(sender: OtlpSender): Promise<void> {
  const from = sender.refusals.length;
  await eventually(() => {
    for (const face of otlpFaces)
      expect(sender.refusals.slice(from).filter((one) => one.face === face).length).toBeGreaterThan(20);
  });
}

async function goesOn({ acknowledged, lastAnswers }: OtlpSender): Promise<void> {
  const before = { ...acknowledged };
  await eventually(() => {
    for (const face of otlpFaces)
      expect(acknowledged[face], `${face}: ${lastAnswers[face]}`).toBeGreaterThan(before[face] + 50);
  });
}

/** What a sender over HTTP is told in a header. */
async function retryAfterOf(url: string): Promise<number> {
  const body = Uint8Array.from(protobufOf({ ...otlpRequest(1), signal: 'logs' }));
  const headers = { 'Content-Type': 'application/x-protobuf' };
  const response = await fetch(`${url}/v1/logs`, { method: 'POST', headers, body });
  expect(response.status).toBe(503);
  return Number(response.headers.get('retry-after'));
}
