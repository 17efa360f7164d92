import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';

/** `millrace token delete TOKEN` */
export function tokenDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('delete', 'Delete a token; it is refused at once')
    .argument('<token>', 'id of the token, a number')
    .action(async (tokenId: string, options: ClientOptions) => {
      await (await connect(context, options)).deleteToken(tokenId);
      if (options.json) printJson(terminal, { id: tokenId, isDeleted: true });
      else terminal.stdout.write(`Token ${tokenId} has been deleted.\n`);
    });
  return withExamples(command, [['token delete 7', 'whoever uses it gets 401 from now on']]);
}
