import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { withExamples, type CommandContext } from '../command-context.ts';
import { parsePort } from '../parse-port.ts';
import { printJson } from '../print.ts';
import { askHealth, type Health, type Probe } from './ask-health.ts';
import { placesOf } from './places.ts';

interface Options {
  readonly live: boolean;
  readonly json: boolean;
  readonly dataDir?: string;
  readonly adminPort?: string;
  readonly opsPort?: string;
}

/** `millrace health` */
export function health(context: CommandContext): Command {
  const command = new Command('health')
    .description('Ask the process of this machine whether it is ready')
    .option('--live', 'ask whether it lives; it may start, drain or wait for a server', false)
    .option('--json', 'print JSON instead of a line', false)
    .option('--data-dir <folder>', 'data folder of the process (default: MILLRACE_DATA_DIR, else ./data)')
    .option(
      '--admin-port <port>',
      'ask a process with the role admin (default: MILLRACE_ADMIN_PORT, else 8000)',
      parsePort,
    )
    .option(
      '--ops-port <port>',
      'ask a process without the role admin (default: MILLRACE_OPS_PORT, else 8001)',
      parsePort,
    )
    .addHelpText(
      'after',
      `
Without a port it asks the process with the role admin that works on the data folder, then the two ports; with
MILLRACE_ROLES without admin only the second one. It needs no token. Exit codes: 0 ready (or live), 1 not ready, 2 wrong usage, 3 no process answers.`,
    )
    .action((options: Options) => run(context, options));
  return withExamples(command, [
    ['health', 'ready to take events and to deliver them?'],
    ['health --live', 'as the health check of a container'],
    ['health --ops-port 8001', 'a process of a cluster without the role admin'],
    ['health --json | jq -r ".waiting[]"', 'what it waits for'],
  ]);
}

async function run(context: CommandContext, options: Options): Promise<void> {
  const { terminal, signal } = context;
  const { live, json, dataDir, adminPort, opsPort } = options;
  const probe: Probe = live ? 'live' : 'ready';
  const config = context.config({
    ...(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir }),
    ...(adminPort === undefined ? {} : { MILLRACE_ADMIN_PORT: adminPort }),
    ...(opsPort === undefined ? {} : { MILLRACE_OPS_PORT: opsPort }),
  });
  const named = { dataDir: dataDir !== undefined, adminPort: adminPort !== undefined, opsPort: opsPort !== undefined };
  const { url, answer } = await firstAnswer(await placesOf(config, named), probe, signal);
  const { isWell, waiting } = answer;
  if (json) printJson(terminal, { url, status: isWell ? probe : `not ${probe}`, waiting });
  else if (isWell) terminal.stdout.write(`${url} is ${probe}\n`);
  if (isWell) return;
  const because = waiting.length === 0 ? '' : `: ${waiting.join(', ')}`;
  throw new MillraceError('client.refused', `${url} is not ${probe}${because}.`);
}

/** Health is asked of a port of this machine: neither another machine nor a token plays a part. */
const advice =
  'Start it with "millrace start", or name the port of its health: --admin-port or MILLRACE_ADMIN_PORT, without the role admin --ops-port or MILLRACE_OPS_PORT.';

interface Found {
  readonly url: string;
  readonly answer: Extract<Health, { kind: 'answer' }>;
}

/** Of the first place where a process of Millrace answers; `client.unreachable` with the reason of each when none does. */
async function firstAnswer(places: readonly string[], probe: Probe, signal: AbortSignal): Promise<Found> {
  const reasons: string[] = [];
  for (const url of places) {
    const answer = await askHealth(url, probe, signal);
    if (answer.kind === 'answer') return { url, answer };
    reasons.push(`${url}: ${answer.reason}`);
  }
  const tried = reasons.length === 0 ? 'no port is known' : reasons.join('; ');
  throw new MillraceError('client.unreachable', `No process of this machine shows its health (${tried}).`, {
    details: { advice },
  });
}
