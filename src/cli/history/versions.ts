import type { Command } from 'commander';
import type { AdminClient } from '../client.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { withObject } from '../object-command.ts';
import { isSink, type ObjectName } from '../object-name.ts';
import { printJson, printTable } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { whoOf } from '../who-of.ts';
import { printSinkVersion, printSourceVersion } from './print-version.ts';
import { parseVersionNumber } from './version-number.ts';

const example = { source: 'shop', sink: 'shop orders' } as const;

/** `millrace source versions SOURCE [VERSION]` and `millrace sink versions SOURCE SINK [VERSION]` */
export function versions(context: CommandContext, kind: 'source' | 'sink'): Command {
  const { terminal } = context;
  const command = clientCommand('versions', `List the versions of a ${kind}: what was changed, when and by whom`);
  withObject(command, kind, async (object) => {
    const options = command.opts<ClientOptions>();
    const [number] = command.processedArgs.slice(kind === 'source' ? 1 : 2) as readonly (number | undefined)[];
    const client = await connect(context, options);
    if (number !== undefined) return showVersion(terminal, { client, object, number, json: options.json });
    const found = await client.history.versions(object);
    if (options.json) return printJson(terminal, found);
    return printTable(terminal, {
      head: ['number', 'when', 'who', 'description'],
      rows: found.map((version) => [version.number, version.at, whoOf(version.by), version.description]),
      cut: 'description',
      empty: 'There are no versions.',
    });
  }).argument('[version]', 'number of a version: show what it defined', parseVersionNumber);
  return withExamples(command, [
    [`${kind} versions ${example[kind]}`, 'every change of it'],
    [`${kind} versions ${example[kind]} 2`, 'what "rollback" to version 2 would bring back'],
  ]);
}

interface Shown {
  readonly client: AdminClient;
  readonly object: ObjectName;
  readonly number: number;
  readonly json: boolean;
}

async function showVersion(terminal: Terminal, { client, object, number, json }: Shown): Promise<void> {
  if (isSink(object)) printSinkVersion(terminal, await client.history.sinkVersion(object, number), json);
  else printSourceVersion(terminal, await client.history.sourceVersion(object, number), json);
}
