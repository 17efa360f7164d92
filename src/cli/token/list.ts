import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';
import type { TokenShape } from '../api-shapes.ts';
import { roleOf } from './print-token.ts';

/** `millrace token list` */
export function tokenList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the tokens of the API, those of the sinks included').action(
    async (options: ClientOptions) => {
      const tokens = await (await connect(context, options)).listTokens();
      if (options.json) return printJson(context.terminal, tokens);
      return printTable(context.terminal, {
        head: ['token', 'description', 'may', 'created', 'expires'],
        rows: tokens.map((token) => [
          token.id,
          token.description,
          roleOf(token),
          createdText(token),
          token.isExpired ? 'expired' : (token.expires ?? 'never'),
        ]),
        cut: 'description',
        empty: 'There are no tokens.',
      });
    },
  );
  return withExamples(command, [['token list', 'their texts are shown only when they are made']]);
}

/** Nobody made the root token by a call, so nobody knows when: the API has the beginning of time there. */
function createdText({ created }: TokenShape): string {
  return Date.parse(created) === 0 ? '' : created;
}
