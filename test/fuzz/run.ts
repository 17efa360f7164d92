/**
 * Hostile requests by a grammar, with other senders measured beside: `npm run fuzz -- --requests 1000000 --seed 7`; with `--otlp` most
 * of them go to the decoders of OpenTelemetry at once, the others over HTTP and gRPC.
 */
import { endsInVerdict } from '../chaos/verdict.ts';
import { scriptOptions } from '../support/script-options.ts';
import { fuzzRun } from './fuzz-run.ts';
import { decoderRun } from './otlp/decoder-run.ts';

const help = `npm run fuzz -- [--requests 20000] [--seed N] [--connections 16] [--rate N] [--otlp]

Sends requests that a grammar makes (request lines, framing, headers, queries, bodies) to one source, while others send events to theirs.
Ends with a verdict.
  --requests     how many
  --seed         of the choices: the same one makes the same requests
  --connections  at a time
  --rate         requests a second; as many as there can be without it
  --otlp         of OpenTelemetry: nine of ten are given to the decoders, one goes over HTTP or gRPC`;

const values = scriptOptions(help, {
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string' },
  connections: { type: 'string', default: '16' },
  rate: { type: 'string', default: 'Infinity' },
  otlp: { type: 'boolean', default: false },
});

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const { requests, connections, rate, otlp } = values;
const again =
  `npm run fuzz -- --requests ${requests} --seed ${seed} --connections ${connections} --rate ${rate}` +
  (otlp ? ' --otlp' : '');
const mb = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
await endsInVerdict(again, async () => {
  if (otlp) await fuzzDecoders(Math.ceil(Number(requests) * 0.9));
  const { statuses, sent, seconds, others, alone, memory } = await fuzzRun({
    kind: otlp ? 'otlp' : 'events',
    seed,
    requests: otlp ? Math.ceil(Number(requests) / 10) : Number(requests),
    connections: Number(connections),
    rate: Number(rate),
    say: (line) => console.log(line),
  });
  for (const [status, count] of Object.entries(statuses))
    console.log(`  ${status.padEnd(24)} ${String(count).padStart(9)}`);
  const ms = (time: number): string => `${time.toFixed(1)} ms`;
  console.log(
    `${sent} hostile requests, ${Math.round(sent / seconds)} a second. ${others.events} events of others, none lost or double: ` +
      `p50 ${ms(others.p50)}, p99 ${ms(others.p99)}, longest ${ms(others.longest)}; alone p50 ${ms(alone.p50)}, p99 ${ms(alone.p99)}.`,
  );
  console.log(
    `Memory: ${mb(memory.before)} before, ${mb(memory.half)} at most in the first half, ${mb(memory.after)} when it was over.`,
  );
});

async function fuzzDecoders(inputs: number): Promise<void> {
  const { outcomes, records, bytes, memory, longestMs, seconds } = await decoderRun({ seed, first: 0, inputs });
  for (const [outcome, count] of Object.entries(outcomes))
    console.log(`  ${outcome.padEnd(24)} ${String(count).padStart(9)}`);
  console.log(
    `${inputs} hostile bodies for the decoders, ${Math.round(inputs / seconds)} and ${mb(bytes / seconds)} a second: ${records} records; ` +
      `the longest took ${Math.round(longestMs)} ms. Memory: ${mb(memory.first)} at most in the first half, ${mb(memory.second)} in the second.`,
  );
}
