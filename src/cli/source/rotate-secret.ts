import type { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printFields, printJson } from '../print.ts';

interface Options extends ClientOptions {
  readonly overlap?: string;
}

const typedFields = { overlap: '--overlap' };

/** `millrace source rotate-secret SOURCE` */
export function sourceRotateSecret(context: CommandContext): Command {
  const command = clientCommand('rotate-secret', 'Give a source another secret, and print its URL with it')
    .argument('<source>', 'id of the source')
    .option(
      '--overlap <time>',
      'how long the old secret stays valid beside it: 24h, 15m, 30s (default: it ends at once)',
    )
    .action(async (sourceId: string, options: Options) => {
      const { branch, overlap, json } = options;
      const client = await connect(context, options);
      const source = await asTypedFields(typedFields, client.rotateSecret({ branch, sourceId }, overlap));
      if (json) return printJson(context.terminal, source);
      const { http, otlp, previousSecretValidUntil: until } = source;
      return printFields(context.terminal, {
        source: sourceId,
        url: http?.url ?? otlp?.url,
        'base url': otlp?.baseUrl,
        secret: otlp?.secret,
        'old url': until === undefined ? 'not valid any more' : `valid until ${until}`,
      });
    });
  return withExamples(command, [
    ['source rotate-secret shop --overlap 24h', 'a day for the senders to change over'],
    ['source rotate-secret shop', 'the old URL has leaked: it is refused from now on'],
    ['source rotate-secret shop --json | jq -r .http.url', 'only the URL, for a script'],
  ]);
}
