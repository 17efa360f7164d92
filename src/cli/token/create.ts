import { Option, type Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseLifetime } from './parse-lifetime.ts';
import { printIssued } from './print-token.ts';

interface Options extends ClientOptions {
  readonly role?: 'admin' | 'readOnly' | 'limited';
  readonly component: readonly string[];
  readonly manageBuckets?: true;
  readonly expiresIn?: number;
}

/** `millrace token create DESCRIPTION` */
export function tokenCreate(context: CommandContext): Command {
  const command = clientCommand('create', 'Create a token of the API and print it, this once')
    .argument('<description>', 'who or what has it; up to 255 characters')
    .addOption(
      new Option(
        '--role <role>',
        'what it may do (default: admin; limited with --component or --manage-buckets)',
      ).choices(['admin', 'readOnly', 'limited']),
    )
    .option(
      '--component <id>',
      'it has to do with configurations of this component alone; may be given again',
      collect,
      [],
    )
    .option('--manage-buckets', 'it has to do with buckets, tables, files and configurations alone, with all of them')
    .option('--expires-in <time>', 'how long it is valid: 90d, 12h, 30min (default: forever)', parseLifetime)
    .action(async (description: string, options: Options) => {
      const { role = options.manageBuckets && 'limited', expiresIn, component, manageBuckets } = options;
      const componentAccess = component.length === 0 ? undefined : component;
      const client = await connect(context, options);
      const rights = { role, canManageBuckets: manageBuckets, componentAccess };
      printIssued(context.terminal, await client.createToken({ description, expiresIn, ...rights }), options.json);
    });
  return withExamples(command, [
    ['token create "Terraform"', 'an admin token'],
    ['token create Dashboard --role readOnly --expires-in 90d', 'one that reads, for 90 days'],
    ['token create Nightly --component generic-extractor', 'one that keeps and runs extractions, and nothing else'],
    ['token create Loader --manage-buckets', 'one that loads files into tables'],
    ['token create CI --json | jq -r .token', 'only its text, for a script'],
  ]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
