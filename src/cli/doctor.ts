import { styleText } from 'node:util';
import { Command } from 'commander';
import type { Finding } from '../core/finding.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { Examined } from '../runtime/product.ts';
import { clusterTopology } from './cluster-topology.ts';
import { withExamples, type CommandContext } from './command-context.ts';
import { printJson } from './print.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { waitFor } from './wait-for.ts';

interface Options {
  readonly topology?: string;
  readonly json: boolean;
}

/** `millrace doctor --topology FILE` */
export function doctor(context: CommandContext): Command {
  const command = new Command('doctor')
    .description('Connect to every server of a topology and say what is wrong')
    .option('--topology <file>', 'roles and servers of a cluster (default: MILLRACE_TOPOLOGY)')
    .option('--json', 'print JSON instead of a list', false)
    .addHelpText(
      'after',
      `
It looks at connections, versions, rights, clocks, settings and conditional writes, with probes that it removes again.
It says who runs jobs, too, and whether some wait for nobody. Run it with the environment of a process of the cluster: secrets are looked up in the same places.
Exit code 0: nothing is wrong; 1: something is.`,
    )
    .action(async (options: Options) => {
      const { terminal, product, signal } = context;
      const topology = clusterTopology(context, { file: options.topology, purpose: 'look at' });
      const examining = product.examineCluster(topology, signal);
      const examined = await waitFor(terminal, 'Looking at the servers', examining);
      if (options.json) printJson(terminal, examined);
      else printFindings(terminal, examined);
      const bad = examined.flatMap(({ findings }) => findings.filter(({ kind }) => kind === 'bad')).length;
      if (bad > 0)
        throw new MillraceError('client.unfit', bad === 1 ? 'one thing is wrong' : `${bad} things are wrong`);
    });
  return withExamples(command, [
    ['doctor --topology topologies/cluster.yaml', 'all servers of a cluster'],
    ['doctor --topology topologies/cluster.yaml --json', 'the same for a program'],
  ]);
}

const marks = {
  good: { sign: '✓', style: 'green' },
  advice: { sign: '!', style: 'yellow' },
  bad: { sign: '✗', style: 'red' },
} as const;

function printFindings({ stdout, human }: Terminal, examined: readonly Examined[]): void {
  const lines = examined.flatMap(({ server, findings }) => [
    human ? styleText('bold', server, { validateStream: false }) : server,
    ...findings.map((finding) => lineOf(finding, human)),
    '',
  ]);
  stdout.write(`${lines.join('\n')}\n`);
}

function lineOf({ kind, about, text }: Finding, human: boolean): string {
  const { sign, style } = marks[kind];
  return `  ${human ? styleText(style, sign, { validateStream: false }) : sign} ${about}: ${printable(text)}`;
}
