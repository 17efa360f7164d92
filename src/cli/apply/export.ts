import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { indentedJson } from '../config/indented-json.ts';
import { waitFor } from '../wait-for.ts';
import { BranchCalls } from './branch-calls.ts';
import { jsonText, type Json } from './declared-json.ts';
import { declarationsText, writtenDeclarations, type Exported } from './write-declarations.ts';

/** `millrace export` */
export function exportDeclarations(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand(
    'export',
    'Write the sources, sinks, settings and configurations of a branch as one file',
  )
    .addHelpText(
      'after',
      '\nIt is what "apply" and "diff" read, and holds no URL and no secret: it names a variable of the\nenvironment for each secret of a configuration.',
    )
    .action(async (options: ClientOptions) => {
      const calls = new BranchCalls(await connect(context, options), options.branch);
      const read = async (): Promise<Exported> => ({
        // How many an installation needs is its own affair: the file may be for another one.
        sources: (await calls.sources()).map(({ partitions: _, ...source }) => source),
        configurations: await calls.configurations.all(),
      });
      const exported = await waitFor(terminal, 'Reading sources, sinks and configurations', read());
      if (options.json) return void terminal.stdout.write(`${indentedJson(jsonOf(writtenDeclarations(exported)))}\n`);
      const comment = `Sources and configurations of the branch "${options.branch}". Change them here, then let "apply" read this file.`;
      return void terminal.stdout.write(declarationsText(exported, comment));
    });
  return withExamples(command, [
    ['export > sources.yaml', 'everything of the branch "default"'],
    ['export --branch 2 > two.yaml', 'of another branch'],
    ['export --json | jq ".sources | keys"', 'the same as JSON'],
  ]);
}

/** With all digits of configurations. */
function jsonOf(written: object): string {
  return jsonText(written as Json);
}
