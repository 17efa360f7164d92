import type { Command } from 'commander';
import type { TaskShape } from './api-shapes.ts';
import type { AdminClient } from './client.ts';
import { clientCommand, connect, type ClientOptions, type CommandContext } from './command-context.ts';
import type { ObjectName } from './object-name.ts';
import type { Advice } from './paste/next-step.ts';
import { pastePlace, PasteLines } from './paste/paste-lines.ts';
import { advise, printJson, say } from './print.ts';
import { waitFor } from './wait-for.ts';

export interface ObjectCommand<Options extends ClientOptions> {
  readonly kind: 'source' | 'sink';
  readonly name: string;
  readonly summary: string;
  /** Shown while it runs. */
  readonly doing: string;
  /** Resolves when it is to be done. */
  readonly agree?: (client: AdminClient, object: ObjectName, options: Options) => Promise<void>;
  readonly run: (client: AdminClient, object: ObjectName, options: Options) => Promise<TaskShape>;
  /** What a person is told when it is done; asked for before that. */
  readonly advice?: (client: AdminClient, object: ObjectName, lines: PasteLines) => Promise<Advice>;
}

/** A command that names a source or a sink and does one thing with it, which ends with a sentence. */
export function objectCommand<Options extends ClientOptions>(
  context: CommandContext,
  { kind, name, summary, doing, agree, run, advice }: ObjectCommand<Options>,
): Command {
  const { terminal } = context;
  const command = clientCommand(name, summary);
  return withObject(command, kind, async (object) => {
    const options = command.opts<Options>();
    const client = await connect(context, options);
    await agree?.(client, object, options);
    const isTold = terminal.human && !options.json;
    const lines = new PasteLines(pastePlace(context, options));
    const told = isTold ? await advice?.(client, object, lines) : undefined;
    const task = await waitFor(terminal, doing, run(client, object, options));
    if (options.json) printJson(terminal, task);
    else say({ ...terminal, stderr: terminal.stdout }, task.result ?? 'Done.');
    if (told !== undefined) advise(terminal, told);
  });
}

/** Adds the arguments that name a source or a sink, and the action with the name made of them. */
export function withObject(
  command: Command,
  kind: 'source' | 'sink',
  action: (object: ObjectName) => Promise<void>,
): Command {
  command.argument('<source>', 'id of the source');
  if (kind === 'sink') command.argument('<sink>', 'id of the sink');
  return command.action(() => {
    const { branch } = command.opts<ClientOptions>();
    const [sourceId = '', sinkId = ''] = command.args;
    return action(kind === 'sink' ? { branch, sourceId, sinkId } : { branch, sourceId });
  });
}
