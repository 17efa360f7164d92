import { Option, type Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseLifetime } from './parse-lifetime.ts';
import { printIssued } from './print-token.ts';

interface Options extends ClientOptions {
  readonly role?: 'admin' | 'readOnly' | 'limited';
  readonly component: readonly string[];
  readonly readBucket: readonly string[];
  readonly writeBucket: readonly string[];
  readonly manageBuckets?: true;
  readonly expiresIn?: number;
}

/** `millrace token create DESCRIPTION` */
export function tokenCreate(context: CommandContext): Command {
  const command = clientCommand('create', 'Create a token of the API and print it, this once')
    .argument('<description>', 'who or what has it; up to 255 characters')
    .addOption(
      new Option('--role <role>', 'what it may do (default: admin; limited with one of the options below)').choices([
        'admin',
        'readOnly',
        'limited',
      ]),
    )
    .option(
      '--component <id>',
      'it has to do with configurations of this component alone; may be given again',
      collect,
      [],
    )
    .option('--read-bucket <id>', 'it reads the tables of this bucket; may be given again', collect, [])
    .option('--write-bucket <id>', 'it reads and changes the tables of this bucket; may be given again', collect, [])
    .option('--manage-buckets', 'it has to do with buckets, tables, files and configurations alone, with all of them')
    .option('--expires-in <time>', 'how long it is valid: 90d, 12h, 30min (default: forever)', parseLifetime)
    .action(async (description: string, options: Options) => {
      const { role = options.manageBuckets && 'limited', expiresIn, component, manageBuckets } = options;
      const componentAccess = component.length === 0 ? undefined : component;
      const bucketPermissions = rightsOf(options);
      const client = await connect(context, options);
      const rights = { role, canManageBuckets: manageBuckets, componentAccess, bucketPermissions };
      printIssued(context.terminal, await client.createToken({ description, expiresIn, ...rights }), options.json);
    });
  return withExamples(command, [
    ['token create "Terraform"', 'an admin token'],
    ['token create Dashboard --role readOnly --expires-in 90d', 'one that reads, for 90 days'],
    ['token create Nightly --component generic-extractor', 'one that keeps and runs extractions, and nothing else'],
    ['token create BI --read-bucket in.c-shop', 'one that reads the tables of a bucket, and sees no other'],
    ['token create Loader --manage-buckets', 'one that loads files into tables'],
    ['token create CI --json | jq -r .token', 'only its text, for a script'],
  ]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Undefined when no bucket is named. Who writes a bucket reads it, too. */
function rightsOf({ readBucket, writeBucket }: Options): Readonly<Record<string, string>> | undefined {
  if (readBucket.length + writeBucket.length === 0) return undefined;
  const rights = (ids: readonly string[], right: string) => ids.map((id) => [id, right] as const);
  return Object.fromEntries([...rights(readBucket, 'read'), ...rights(writeBucket, 'write')]);
}
