import { expect, it } from 'vitest';
import { fuzzRun } from '../fuzz/fuzz-run.ts';
import { decoderRun } from '../fuzz/otlp/decoder-run.ts';

const anySeed = (): number => Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));

it('D2, D3, D8, D9: hostile requests harm neither the process nor the events of others', async () => {
  const seed = anySeed();
  const report = await fuzzRun({
    kind: 'events',
    seed,
    requests: 4000,
    connections: 8,
    rate: Infinity,
    say: () => undefined,
  });
  // Each kind of end was reached: taken, wrong, elsewhere, too large.
  for (const status of ['200', '400', '404', '405', '413'])
    expect([status, report.statuses[status]]).not.toEqual([status, undefined]);
  expect(report.others.events).toBeGreaterThan(0);
});

it('D2, D3, D8, D9: hostile OpenTelemetry over HTTP and gRPC harms neither the process nor the events of others', async () => {
  const options = { seed: anySeed(), requests: 2000, connections: 8, rate: Infinity, say: () => undefined };
  const report = await fuzzRun({ kind: 'otlp', ...options });
  for (const status of ['200', '400', '404', '415', 'grpc 0', 'grpc 3', 'grpc 12', 'grpc 16'])
    expect([status, report.statuses[status]]).not.toEqual([status, undefined]);
  expect(report.refused.length).toBeGreaterThan(100);
  expect(report.others.events).toBeGreaterThan(0);
});

it('D8, D9: hostile bodies of OpenTelemetry are decoded or refused, and leave nothing behind', async () => {
  const { outcomes, records } = await decoderRun({ seed: anySeed(), first: 0, inputs: 8000 });
  expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['records', 'invalid']));
  expect(records).toBeGreaterThan(1000);
});
