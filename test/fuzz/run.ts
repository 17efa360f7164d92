/** Hostile requests by a grammar, with other senders measured beside: `npm run fuzz -- --requests 1000000 --seed 7`. */
import { endsInVerdict } from '../chaos/verdict.ts';
import { scriptOptions } from '../support/script-options.ts';
import { fuzzRun } from './fuzz-run.ts';

const help = `npm run fuzz -- [--requests 20000] [--seed N] [--connections 16] [--rate N]

Sends requests that a grammar makes (request lines, framing, headers, queries, bodies) to one source, while others send events to theirs.
Ends with a verdict.
  --requests     how many
  --seed         of the choices: the same one makes the same requests
  --connections  at a time
  --rate         requests a second; as many as there can be without it`;

const values = scriptOptions(help, {
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string' },
  connections: { type: 'string', default: '16' },
  rate: { type: 'string', default: 'Infinity' },
});

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const { requests, connections, rate } = values;
const again = `npm run fuzz -- --requests ${requests} --seed ${seed} --connections ${connections} --rate ${rate}`;
await endsInVerdict(again, async () => {
  const { statuses, sent, seconds, others, alone, memory } = await fuzzRun({
    seed,
    requests: Number(requests),
    connections: Number(connections),
    rate: Number(rate),
    say: (line) => console.log(line),
  });
  for (const [status, count] of Object.entries(statuses)) console.log(`  ${status} ${String(count).padStart(9)}`);
  const ms = (time: number): string => `${time.toFixed(1)} ms`;
  const mb = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
  console.log(
    `${sent} hostile requests, ${Math.round(sent / seconds)} a second. ${others.events} events of others, none lost or double: ` +
      `p50 ${ms(others.p50)}, p99 ${ms(others.p99)}, longest ${ms(others.longest)}; alone p50 ${ms(alone.p50)}, p99 ${ms(alone.p99)}.`,
  );
  console.log(
    `Memory: ${mb(memory.before)} before, ${mb(memory.half)} at most in the first half, ${mb(memory.after)} when it was over.`,
  );
});
