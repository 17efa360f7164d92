import { Option, type Command } from 'commander';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { httpTarget } from './http-target.ts';
import { kafkaTarget } from './kafka-target.ts';
import { readEvents, totalBytes } from './read-events.ts';
import { sendAll, type SendEnd, type Tally } from './send-all.ts';
import { showProgress } from './send-progress.ts';
import { tries } from './target.ts';

interface Options extends ClientOptions {
  readonly source?: string;
  readonly to?: string;
  readonly kafka?: string;
  readonly topology?: string;
  readonly schema?: string;
  readonly whole: boolean;
  readonly header: readonly string[];
  readonly contentType?: string;
  readonly batch: number;
  readonly concurrency: number;
  readonly retry: boolean;
}

const mostEvents = limits.eventsPerRequest;
/** Far below what a body may have, so that a request is over soon; and large enough that requests cost little. */
const batchBytes = 256 * 1024;

/** `millrace send FILE…` */
export function send(context: CommandContext): Command {
  const command = clientCommand('send', 'Send the lines of files as events')
    .argument('<file...>', 'NDJSON files, each line an event; "-" is standard input')
    .option('--source <id>', 'id of the source (default: the only one)')
    .option('--to <url>', 'URL of a source, instead of --source; needs no token')
    .addOption(
      new Option('--kafka <source>', 'write to the topic of this source in Kafka; needs --topology').conflicts([
        'source',
        'to',
        'dataDir',
      ]),
    )
    .option('--topology <file>', 'the cluster of --kafka (default: MILLRACE_TOPOLOGY)')
    .option('--schema <file>', 'with --kafka: encode the events by an .avsc, .json or .proto file, and register it')
    .option('--whole', 'each file is one event, whatever it holds', false)
    .option('--header <header>', 'a header of every request, "Name: value"; may be given again', collect, [])
    .option('--content-type <type>', 'what the events are (default: application/json; with --kafka: no header)')
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

With --kafka the lines go to the topic of a source, in the log of a topology, as another producer writes them: acknowledged by all
in-sync replicas, each batch whole and in one partition. The environment is that of a process of the cluster. With --schema each line
is JSON that must fit the schema; one that does not is refused by itself.

The exit code is 1 when any event was refused or got no answer.`,
    )
    .action(async (files: readonly string[], options: Options) => run(context, files, options));
  return withExamples(command, [
    ['send orders.ndjson', 'every line to the only source'],
    ['send --source shop --whole --header "X-GitHub-Event: push" push.json', 'a webhook as GitHub sends it'],
    ['send - --source shop < orders.ndjson', 'standard input'],
    ['send --kafka shop --topology topologies/cluster.yaml --schema order.avsc orders.ndjson', 'to Kafka, as Avro'],
  ]);
}

/** One value an option, so that what follows it is still a file. */
function collect(header: string, before: readonly string[]): readonly string[] {
  return [...before, header];
}

async function run(context: CommandContext, files: readonly string[], given: Options): Promise<void> {
  const { terminal, signal } = context;
  checkPurpose(given);
  const { contentType = 'application/json' } = given;
  const total = await totalBytes(files);
  await using target = await (given.kafka === undefined
    ? httpTarget(context, { ...given, contentType })
    : kafkaTarget(context, given.kafka, given));
  const progress = showProgress(terminal, total);
  const perBatch = { events: target.batchEvents, bytes: batchBytes };
  let end: SendEnd;
  try {
    end = await sendAll({
      signal,
      send: (events, onSent) => target.send(events, { onSent, onWait: progress.waits }),
      batches: readEvents({ files, stdin: terminal.stdin, whole: given.whole, limits: perBatch }),
      concurrency: given.concurrency,
      onSent: progress.sent,
      onBatch: progress.done,
    });
  } finally {
    progress.end();
  }
  // A reader that waits for input would keep the process.
  if (end.tally.interrupted) terminal.stdin.destroy();
  report(terminal, end.tally, given.json);
  signal.throwIfAborted();
  if (end.failure !== undefined) throw MillraceError.fromUnknown(end.failure);
  if (end.tally.unreachable !== undefined) throw target.unreachable(end.tally.unreachable);
  const failed = end.tally.refused + end.tally.unanswered;
  if (failed === 0) return;
  throw new MillraceError('client.incomplete', `${failed} of ${end.tally.accepted + failed} events were not accepted.`);
}

/** Options that would change nothing. */
function checkPurpose({ kafka, schema, topology }: Options): void {
  const [name] = Object.entries({ schema, topology }).find(([, value]) => value !== undefined) ?? [];
  if (kafka === undefined && name !== undefined)
    throw new MillraceError('input.invalid', `--${name} is for --kafka, which is not given.`);
}

function report(terminal: Terminal, tally: Tally, json: boolean): void {
  const { accepted, refused, unanswered, interrupted } = tally;
  const end = interrupted ? 'interrupted: ' : '';
  if (json) printJson(terminal, tally);
  else terminal.stdout.write(`${end}${accepted} accepted, ${refused} refused, ${unanswered} without an answer\n`);
}
