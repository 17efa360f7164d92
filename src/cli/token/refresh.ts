import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printIssued } from './print-token.ts';

/** `millrace token refresh TOKEN` */
export function tokenRefresh(context: CommandContext): Command {
  const command = clientCommand('refresh', 'Give a token a new text; the one before is refused at once')
    .argument('<token>', 'id of the token, a number')
    .action(async (tokenId: string, options: ClientOptions) => {
      const client = await connect(context, options);
      printIssued(context.terminal, await client.refreshToken(tokenId), options.json);
    });
  return withExamples(command, [['token refresh 7', 'its rights and its end stay']]);
}
