import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { MillraceError } from '../../core/millrace-error.ts';
import { bodyFormat } from '../../mapping/body-format.ts';
import { connect, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseHeaders, type HeaderOptions } from './parse-headers.ts';
import { postBatch, type Framing } from './post-batch.ts';
import { targetUrl } from './target-url.ts';
import { tries, type Target } from './target.ts';

export interface HttpTargetOptions extends ClientOptions, HeaderOptions {
  readonly source?: string;
  readonly to?: string;
  readonly whole: boolean;
  readonly batch: number;
  readonly retry: boolean;
}

/** The URL of a source: what is given, or what a running process says. */
export async function httpTarget(context: CommandContext, options: HttpTargetOptions): Promise<Target> {
  const { signal } = context;
  const headers = parseHeaders(options);
  const found =
    parseTarget(options.to) ?? (await targetUrl(await connect(context, options), options.branch, options.source));
  const framing = framingOf(found, headers, options);
  const url = framing === 'lines' ? asLines(found) : found;
  const agent = url.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  return {
    batchEvents: framing === 'lines' ? options.batch : 1,
    unreachable: (reason) =>
      new MillraceError('client.unreachable', `Sending ended: nothing answers at the URL of the source: ${reason}.`),
    send: (events, { onSent, onWait }) =>
      postBatch(events, { url, headers, agent, signal, framing, tries, doubles: options.retry, onWait }, onSent),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

type Headers = ReturnType<typeof parseHeaders>;

/** Lines that are split count as JSON, so others go alone. Nobody overrules a URL that says how it is split. */
function framingOf(url: string, headers: Headers, { whole, batch }: HttpTargetOptions): Framing {
  if (whole || batch === 1 || new URL(url).searchParams.has('batch')) return 'one';
  const types = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? [];
  return types.length === 1 && types.every(areLinesJson) ? 'lines' : 'one';
}

function areLinesJson(contentType: string): boolean {
  if (/^application\/x-ndjson\s*(?:;|$)/i.test(contentType)) return true;
  return bodyFormat({ decided: undefined, contentType, ingested: true }).kind === 'json';
}

function asLines(url: string): string {
  const asked = new URL(url);
  asked.searchParams.set('batch', 'lines');
  return asked.href;
}

function parseTarget(to: string | undefined): string | undefined {
  if (to === undefined || /^https?:$/.test(URL.parse(to)?.protocol ?? '')) return to;
  throw new MillraceError('input.invalid', `--to "${to}": must be the URL of a source, with http:// or https://.`);
}
