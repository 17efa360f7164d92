import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { formatByteSize } from '../../core/settings/byte-size.ts';
import type { ExportFormat } from '../client.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, say } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { writeWhole } from '../write-whole.ts';
import { spreadsheetSafe } from './spreadsheet-safe.ts';

interface Options extends ClientOptions {
  readonly format: ExportFormat;
  readonly out?: string;
  readonly spreadsheetSafe?: boolean;
}

/** `millrace table export TABLE` */
export function tableExport(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('export', 'Write a whole table to standard output or a file')
    .argument('<table>', 'stage.bucket.table')
    .addOption(
      new Option('--format <format>', 'ndjson: an object a row, every value the text of the cell')
        .choices(['ndjson', 'csv', 'parquet'])
        .default('ndjson'),
    )
    .option('--out <file>', 'write to this file, which appears when it is complete (default: standard output)')
    .option('--spreadsheet-safe', "of CSV: a ' before each cell that a spreadsheet would take for a formula")
    .action(async (tableId: string, options: Options) => {
      const { format, out, json } = options;
      if (options.spreadsheetSafe === true && format !== 'csv')
        throw new MillraceError('input.invalid', `--spreadsheet-safe is for --format csv, not for ${format}.`);
      if (out === undefined && format === 'parquet' && terminal.human)
        throw new MillraceError('input.invalid', 'A Parquet file is not for a terminal: add --out FILE or a pipe.');
      const client = await connect(context, options);
      const table = Readable.fromWeb(await client.exportTable(tableId, format));
      const content = options.spreadsheetSafe === true ? withPart(table, spreadsheetSafe()) : table;
      if (out === undefined) return pipeline(content, terminal.stdout, { end: false, signal: context.signal });
      const bytes = await waitFor(terminal, `Exporting ${tableId}`, writeWhole(content, out, context.signal));
      if (json) return printJson(terminal, { tableId, format, file: out, bytes });
      return say(terminal, `${out}: ${formatByteSize(bytes)}`);
    });
  return withExamples(command, [
    ['table export in.c-shop.orders > orders.ndjson', 'one JSON object a row'],
    ['table export in.c-shop.orders --format parquet --out orders.parquet', 'a Parquet file'],
    ['table export in.c-shop.orders --format csv | head', 'the first lines as CSV'],
    ['table export in.c-shop.orders --format csv --spreadsheet-safe --out orders.csv', 'for a spreadsheet'],
  ]);
}

/** What comes out of the part; a failure of the content is one of it. */
function withPart(content: Readable, part: Transform): Readable {
  content.on('error', (error) => part.destroy(error));
  return content.pipe(part);
}
