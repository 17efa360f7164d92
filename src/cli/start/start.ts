import { Command } from 'commander';
import type { Config, Environment } from '../../config/config.ts';
import { removeRunFile, writeRunFile } from '../run-file.ts';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import { roleList, roles as allRoles } from '../../config/topology/role.ts';
import { parseTopology, readTopologyFile } from '../../config/topology/parse-topology.ts';
import { unlessFailed } from '../../core/unless-failed.ts';
import type { Product, Running, StartOptions } from '../../runtime/product.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { onFirstSignal, type LeaveSignal } from '../interruption.ts';
import { firstSteps, type Advice } from '../paste/next-step.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { parsePort } from '../parse-port.ts';
import { say } from '../print.ts';
import { withPortOption } from './port-option.ts';
import { printReady } from './ready.ts';
import { checkPorts } from './shared-port.ts';

interface Options {
  readonly dataDir?: string;
  readonly adminPort?: string;
  readonly ingestPort?: string;
  readonly opsPort?: string;
  readonly topology?: string;
  readonly role?: string;
  readonly quick: boolean;
}

/** `millrace start` */
export function start(context: CommandContext): Command {
  const command = new Command('start')
    .description('Run Millrace in this process until it is told to leave')
    .option('--data-dir <folder>', 'where everything is kept (default: MILLRACE_DATA_DIR, else ./data)')
    .option(
      '--admin-port <port>',
      'port of the admin API, 0 for a free one (default: MILLRACE_ADMIN_PORT, else 8000)',
      parsePort,
    )
    .option('--topology <file>', 'roles and servers of a cluster (default: MILLRACE_TOPOLOGY, else everything here)')
    .option(
      '--role <roles>',
      'roles of this process, separated by commas (default: MILLRACE_ROLES, else all of the topology)',
    )
    .option(
      '--ops-port <port>',
      'port of metrics and health of a process without the role admin (default: MILLRACE_OPS_PORT, else 8001)',
      parsePort,
    )
    .option(
      '--ingest-port <port>',
      'port of ingest, 0 for a free one (default: MILLRACE_INGEST_PORT, else 7000)',
      parsePort,
    )
    .option(
      '--quick',
      'to try things out: rows are in their tables within a second, unless a source or sink sets its triggers (MILLRACE_QUICK)',
      false,
    )
    .addHelpText(
      'after',
      `
When it is ready it prints a line of JSON with "event":"ready" and its URLs to standard output, or a short page to a
person. The log goes to standard error. SIGTERM and Ctrl-C drain: refuse new events, finish what was accepted, leave
with exit code 0. A second one leaves at once; nothing that was accepted is lost then either.

Fields of a topology: docs/spec/topology.md. Everything else is set by variables: see docs/spec/configuration.md.
A process of a cluster whose servers are away waits for them, alive and not ready; "millrace doctor" looks at the servers.`,
    )
    .action(async (options: Options) => {
      checkRoles(options);
      await run(context, context.config(overridesOf(options)));
    });
  return withExamples(command, [
    ['start', 'on ports 8000 and 7000, with ./data'],
    ['start --data-dir /var/lib/millrace 2>millrace.log', 'with another folder, the log in a file'],
    ['start --quick', 'the same, with rows within a second of their events'],
    ['start --topology topologies/cluster.yaml --role map,stage', 'two roles of a cluster'],
    ['start --admin-port 0 --ingest-port 0', 'on free ports, which the ready line names'],
  ]);
}

/** An empty list, as of a variable that is not set, must not start all roles. */
function checkRoles({ role }: Options): void {
  const { rule, schema } = roleList();
  if (role === undefined || (schema.safeParse(role).data ?? []).length > 0) return;
  throw new MillraceError('config.invalid', `--role "${role}": must be ${rule}`);
}

function overridesOf({ dataDir, adminPort, ingestPort, opsPort, topology, role, quick }: Options): Environment {
  return {
    ...(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir }),
    ...(adminPort === undefined ? {} : { MILLRACE_ADMIN_PORT: adminPort }),
    ...(opsPort === undefined ? {} : { MILLRACE_OPS_PORT: opsPort }),
    ...(topology === undefined ? {} : { MILLRACE_TOPOLOGY: topology }),
    ...(quick ? { MILLRACE_QUICK: 'true' } : {}),
    ...(role === undefined ? {} : { MILLRACE_ROLES: role }),
    ...(ingestPort === undefined ? {} : { MILLRACE_INGEST_PORT: ingestPort }),
  };
}

/**
 * A signal that comes while the product starts also asks it to leave: it is obeyed as soon as there is something to
 * stop, and nobody is told that the product is ready.
 */
async function run(context: CommandContext, config: Config): Promise<void> {
  const { terminal, product } = context;
  const told = Promise.withResolvers<LeaveSignal>();
  const leaving = new AbortController();
  using _listening = onFirstSignal((signal) => {
    leaving.abort();
    told.resolve(signal);
  });
  const topology = topologyOf(config);
  if (config.quick && topology !== undefined)
    throw new MillraceError(
      'config.invalid',
      `--quick (MILLRACE_QUICK) is for a process that is all, and the topology "${topology.path}" is of a cluster, whose processes must agree: set the triggers of its sources instead`,
    );
  checkPorts(config, topology?.value.roles ?? allRoles);
  const running = await started(product, {
    config,
    ...(topology === undefined ? {} : { topology }),
    signal: leaving.signal,
  });
  if (running === undefined) return;
  const serve = async (): Promise<void> => {
    if (!leaving.signal.aborted) {
      await announce(config, running);
      const roles = topology === undefined ? {} : { roles: topology.value.roles };
      const next = topology === undefined && terminal.human ? await nextOf(context, config, leaving.signal) : undefined;
      printReady(terminal, {
        version: product.version,
        dataDir: config.dataDir,
        running,
        next,
        quick: config.quick,
        ...roles,
      });
    }
    const signal = await told.promise;
    if (terminal.human) say(terminal, `\n${signal}: finishing what was accepted. Once more leaves at once.`);
  };
  await using _runFile = { [Symbol.asyncDispose]: () => removeRunFile(config.dataDir, process.pid) };
  await unlessFailed(running.failed, stopAfter(running, serve));
}

/** What to type next; undefined when the process cannot be asked how far it is. */
async function nextOf(context: CommandContext, { dataDir }: Config, signal: AbortSignal): Promise<Advice | undefined> {
  try {
    const options = { dataDir };
    const client = await connect({ config: context.config, signal }, options);
    return await firstSteps(client, new PasteLines(pastePlace(context, options)));
  } catch {
    return undefined;
  }
}

async function stopAfter(running: Running, serve: () => Promise<void>): Promise<void> {
  try {
    await serve();
  } finally {
    await running.stop();
  }
}

/** Undefined when the process was told to leave while it waited for its servers. */
async function started(
  product: Product,
  options: StartOptions & { readonly signal: AbortSignal },
): Promise<Running | undefined> {
  try {
    return await product.start(options);
  } catch (thrown) {
    if (options.signal.aborted && isCancellation(thrown)) return undefined;
    throw withPortOption(thrown, options.config);
  }
}

/** The cluster that the process belongs to, with the roles that it was told; undefined for a process that is all. */
function topologyOf({ topologyFile, roles }: Config): StartOptions['topology'] {
  if (topologyFile === undefined) {
    if (roles.length === 0) return undefined;
    throw new MillraceError(
      'config.invalid',
      'roles apart (--role, MILLRACE_ROLES) need a topology (--topology, MILLRACE_TOPOLOGY)',
    );
  }
  const text = readTopologyFile(topologyFile);
  const value = parseTopology(text, { path: topologyFile });
  if (value.kind === 'cluster')
    return { value: { ...value, roles: roles.length === 0 ? value.roles : roles }, path: topologyFile, text };
  if (roles.length === 0) return undefined;
  throw new MillraceError(
    'config.invalid',
    `the topology "${topologyFile}" has everything in one process: start it without roles (--role, MILLRACE_ROLES)`,
  );
}

/** Lets the commands find this process, when it serves the API. */
async function announce({ dataDir }: Config, { listeners: { admin, ingest } }: Running): Promise<void> {
  if (admin === undefined) return;
  await writeRunFile(dataDir, {
    pid: process.pid,
    admin,
    ...(ingest === undefined ? {} : { ingest }),
    startedAt: new Date().toISOString(),
  });
}
