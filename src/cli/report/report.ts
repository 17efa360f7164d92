import { Readable } from 'node:stream';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseDuration } from '../../core/settings/duration.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, say } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';
import { writeWhole } from '../write-whole.ts';
import type { ReportShape } from './report-client.ts';
import { reportText } from './report-text.ts';

type Format = 'markdown' | 'json' | 'html';

interface Options extends ClientOptions {
  readonly since: string;
  readonly source?: string;
  readonly format?: Format;
  readonly out?: string;
}

/** `millrace report` */
export function report(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand(
    'report',
    'Tell whether every event arrived: a verdict, exact numbers, and how they were',
  )
    .option('--since <duration>', 'how far back samples are shown, such as 30m, 24h or 90d', parseSince, '24h')
    .option('--source <source>', 'only this source and its sinks')
    .addOption(
      new Option('--format <format>', 'a page for somebody else, instead of a table').choices([
        'markdown',
        'json',
        'html',
      ]),
    )
    .option('--out <file>', 'write to this file, which appears when it is complete (default: standard output)')
    .addHelpText(
      'after',
      `
accepted = imported + staged + in flight + filtered + dead + holes + given up, exactly. "missing" is what is left of
that sum; anything but 0 is a defect. Exit code 0: every event is accounted for and none is lost; 1: not so.`,
    )
    .action(async (options: Options) => {
      const { branch, since, source: sourceId, out } = options;
      const client = await connect(context, options);
      const asking = client.reports.conservation({ branch, since, sourceId });
      const found = await waitFor(terminal, 'Counting all events', asking);
      const format = options.format ?? (options.json ? 'json' : undefined);
      if (out !== undefined) {
        const text = await pageOf(found, format ?? 'html');
        await writeWhole(Readable.from([text]), out, context.signal);
        say(terminal, `${out}: ${found.verdict}`);
      } else if (format === 'json') printJson(terminal, found);
      else if (format === undefined) terminal.stdout.write(`${reportText(found, terminal)}\n`);
      else terminal.stdout.write(await pageOf(found, format));
      if (!found.well) throw new MillraceError('client.unaccounted', found.verdict);
    });
  return withExamples(command, [
    ['report', 'the verdict, and the numbers of every sink'],
    ['report --since 90d --format html --out report.html', 'a page for an auditor'],
    ['report --source shop --since 1h --format markdown', 'the last hour of one source, for a ticket'],
    ['report --json | jq -r .verdict', 'the verdict alone'],
  ]);
}

/** The makers of pages are loaded by who wants one: the other commands start without them. */
async function pageOf(found: ReportShape, format: Format): Promise<string> {
  if (format === 'json') return `${withoutHiddenText(JSON.stringify(found, undefined, 2))}\n`;
  if (format === 'markdown') return (await import('./page/markdown-page.ts')).markdownPage(found);
  return (await import('./page/html-page.ts')).htmlPage(found);
}

/** A duration of Go, or days. */
function parseSince(text: string): string {
  const [, days] = /^([1-9][0-9]{0,3})d$/.exec(text) ?? [];
  if (days !== undefined) return `${24 * Number(days)}h`;
  const parsed = parseDuration(text);
  if (parsed.kind === 'duration' && parsed.ms > 0) return text;
  throw new InvalidArgumentError('--since must be how far back, such as 30m, 24h or 90d.');
}
