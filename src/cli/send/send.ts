import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Command } from 'commander';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson } from '../print.ts';
import { parseHeaders } from './parse-headers.ts';
import { bodyFormat } from '../../mapping/body-format.ts';
import type { Framing } from './post-batch.ts';
import { readEvents, totalBytes } from './read-events.ts';
import { sendAll, type Tally } from './send-all.ts';
import { showProgress } from './send-progress.ts';
import { targetUrl } from './target-url.ts';

interface Options extends ClientOptions {
  readonly source?: string;
  readonly to?: string;
  readonly whole: boolean;
  readonly header: readonly string[];
  readonly contentType: string;
  readonly batch: number;
  readonly concurrency: number;
  readonly retry: boolean;
}

const tries = 8;
const mostEvents = limits.eventsPerRequest;
/** Far below what a body may have, so that a request is over soon; and large enough that requests cost little. */
const batchBytes = 256 * 1024;

/** `millrace send FILE…` */
export function send(context: CommandContext): Command {
  const command = clientCommand('send', 'Send the lines of files as events')
    .argument('<file...>', 'NDJSON files, each line an event; "-" is standard input')
    .option('--source <id>', 'id of the source (default: the only one)')
    .option('--to <url>', 'URL of a source, instead of --source; needs no token')
    .option('--whole', 'each file is one event, whatever it holds', false)
    .option('--header <header>', 'a header of every request, "Name: value"; may be given again', collect, [])
    .option('--content-type <type>', 'what the events are', 'application/json')
    .option(
      '--batch <n>',
      'events of a request at most; 1 sends each by itself',
      parseCount('--batch', mostEvents),
      1000,
    )
    .option(
      '--concurrency <n>',
      'requests at a time; 1 keeps the order of the lines',
      parseCount('--concurrency', 1000),
      8,
    )
    .option('--retry', 'also send again what got no answer (see below)', false)
    .addHelpText(
      'after',
      `
The lines of a request are stored together or not at all, and are events of their own all the same. Lines are sent one by one
when they are not JSON (--content-type), and when the URL itself says how requests are split.

What was certainly not stored, because the answer says so, is sent again up to ${tries} times: it arrives once. What got no
answer may have been accepted or not: --retry sends that again, too, and then it may arrive twice. Use --retry when a double
is better than a loss.

The exit code is 1 when any event was refused or got no answer.`,
    )
    .action(async (files: readonly string[], options: Options) => run(context, files, options));
  return withExamples(command, [
    ['send orders.ndjson', 'every line to the only source'],
    ['send --source shop --whole --header "X-GitHub-Event: push" push.json', 'a webhook as GitHub sends it'],
    ['send - --source shop < orders.ndjson', 'standard input'],
  ]);
}

/** One value an option, so that what follows it is still a file. */
function collect(header: string, before: readonly string[]): readonly string[] {
  return [...before, header];
}

async function run(context: CommandContext, files: readonly string[], options: Options): Promise<void> {
  const { terminal, signal } = context;
  const headers = parseHeaders(options);
  const total = await totalBytes(files);
  const url =
    parseTarget(options.to) ?? (await targetUrl(await connect(context, options), options.branch, options.source));
  const progress = showProgress(terminal, total);
  const framing = framingOf(url, headers, options);
  const perRequest = { events: framing === 'lines' ? options.batch : 1, bytes: batchBytes };
  const batches = readEvents({ files, stdin: terminal.stdin, whole: options.whole, limits: perRequest });
  const agent = url.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  let tally: Tally;
  try {
    tally = await sendAll({
      url: framing === 'lines' ? asLines(url) : url,
      headers,
      agent,
      signal,
      framing,
      tries,
      doubles: options.retry,
      batches,
      concurrency: options.concurrency,
      onSent: progress.sent,
      onBatch: progress.done,
      onWait: progress.waits,
    });
  } finally {
    progress.end();
    agent.destroy();
  }
  // A reader that waits for input would keep the process.
  if (tally.interrupted) terminal.stdin.destroy();
  report(context, tally, options.json);
  signal.throwIfAborted();
}

type Headers = ReturnType<typeof parseHeaders>;

/** Lines that are split count as JSON, so others go alone. Nobody overrules a URL that says how it is split. */
function framingOf(url: string, headers: Headers, { whole, batch }: Options): Framing {
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

function report({ terminal }: CommandContext, tally: Tally, json: boolean): void {
  const { accepted, refused, unanswered, unreachable, interrupted } = tally;
  const failed = refused + unanswered;
  const end = interrupted ? 'interrupted: ' : '';
  const text = `${end}${accepted} accepted, ${refused} refused, ${unanswered} without an answer`;
  if (json) printJson(terminal, tally);
  else terminal.stdout.write(`${text}\n`);
  if (interrupted) return;
  if (unreachable !== undefined)
    throw new MillraceError(
      'client.unreachable',
      `Sending ended: nothing answers at the URL of the source: ${unreachable}.`,
    );
  if (failed > 0)
    throw new MillraceError('client.incomplete', `${failed} of ${accepted + failed} events were not accepted.`);
}
