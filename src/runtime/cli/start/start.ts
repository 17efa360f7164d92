import { Command } from 'commander';
import type { Config, Environment } from '../../../config/config.ts';
import { removeRunFile, writeRunFile } from '../../run-file.ts';
import type { Running, StartProduct } from '../../running.ts';
import { productVersion } from '../../version.ts';
import { withExamples, type CommandContext } from '../command-context.ts';
import { onFirstSignal, type LeaveSignal } from '../interruption.ts';
import { say } from '../print.ts';
import { printReady } from './ready.ts';

interface Options {
  readonly dataDir?: string;
  readonly adminPort?: string;
  readonly ingestPort?: string;
}

/** `millrace start` */
export function start(context: CommandContext, startProduct: StartProduct): Command {
  const command = new Command('start')
    .description('Run Millrace in this process until it is told to leave')
    .option('--data-dir <folder>', 'where everything is kept (default: MILLRACE_DATA_DIR, else ./data)')
    .option('--admin-port <port>', 'port of the admin API, 0 for a free one (default: MILLRACE_ADMIN_PORT, else 8000)')
    .option('--ingest-port <port>', 'port of ingest, 0 for a free one (default: MILLRACE_INGEST_PORT, else 7000)')
    .addHelpText(
      'after',
      `
When it is ready it prints a line of JSON with "event":"ready" and its URLs to standard output, or a short page to a
person. The log goes to standard error. SIGTERM and Ctrl-C drain: refuse new events, finish what was accepted, leave
with exit code 0. A second one leaves at once; nothing that was accepted is lost then either.

Everything else is set by variables: see docs/spec/configuration.md.`,
    )
    .action(async (options: Options) => run(context, context.config(overridesOf(options)), startProduct));
  return withExamples(command, [
    ['start', 'on ports 8000 and 7000, with ./data'],
    ['start --data-dir /var/lib/millrace 2>millrace.log', 'with another folder, the log in a file'],
    ['start --admin-port 0 --ingest-port 0', 'on free ports, which the ready line names'],
  ]);
}

function overridesOf({ dataDir, adminPort, ingestPort }: Options): Environment {
  return {
    ...(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir }),
    ...(adminPort === undefined ? {} : { MILLRACE_ADMIN_PORT: adminPort }),
    ...(ingestPort === undefined ? {} : { MILLRACE_INGEST_PORT: ingestPort }),
  };
}

/**
 * Also a signal that comes while the product starts is a wish to leave: it is served as soon as there is something to stop,
 * and nobody is told that the product is ready.
 */
async function run({ terminal }: CommandContext, config: Config, startProduct: StartProduct): Promise<void> {
  const told = Promise.withResolvers<LeaveSignal>();
  let isTold = false;
  using _listening = onFirstSignal((signal) => {
    isTold = true;
    told.resolve(signal);
  });
  const running = await startProduct({ config });
  try {
    if (!isTold) {
      await announce(config, running);
      printReady(terminal, { version: productVersion(), dataDir: config.dataDir, running });
    }
    const signal = await told.promise;
    if (terminal.human) say(terminal, `\n${signal}: finishing what was accepted. Once more leaves at once.`);
  } finally {
    await running.stop();
    await removeRunFile(config.dataDir, process.pid);
  }
}

/** Lets the commands find this process. */
async function announce({ dataDir }: Config, { admin, ingest }: Running): Promise<void> {
  await writeRunFile(dataDir, { pid: process.pid, admin, ingest, startedAt: new Date().toISOString() });
}
