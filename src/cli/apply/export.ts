import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { BranchCalls } from './branch-calls.ts';
import { declarationsText, writtenDeclarations } from './write-declarations.ts';

/** `millrace export` */
export function exportDeclarations(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('export', 'Write the sources, sinks and settings of a branch as one file')
    .addHelpText('after', '\nIt is what "apply" and "diff" read, and holds no URL and no secret.')
    .action(async (options: ClientOptions) => {
      const calls = new BranchCalls(await connect(context, options), options.branch);
      const sources = await waitFor(terminal, 'Reading sources and sinks', calls.sources());
      if (options.json) return printJson(terminal, writtenDeclarations(sources));
      const comment = `Sources of the branch "${options.branch}". Change them here, then let "apply" read this file.`;
      return void terminal.stdout.write(declarationsText(sources, comment));
    });
  return withExamples(command, [
    ['export > sources.yaml', 'everything of the branch "default"'],
    ['export --branch 2 > two.yaml', 'of another branch'],
    ['export --json | jq ".sources | keys"', 'the same as JSON'],
  ]);
}
