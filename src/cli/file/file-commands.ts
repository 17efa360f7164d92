import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { formatByteSize } from '../../core/settings/byte-size.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say } from '../print.ts';
import { printable } from '../printable.ts';
import { waitFor } from '../wait-for.ts';
import { writeWhole } from '../write-whole.ts';
import { uploadFile } from './upload-file.ts';

interface Options {
  readonly json: boolean;
  readonly dataDir?: string;
}

/** `millrace file …` */
export function fileCommands(context: CommandContext): Command {
  return new Command('file')
    .description('Files: what tables are loaded from')
    .addCommand(fileUpload(context))
    .addCommand(fileList(context))
    .addCommand(fileDownload(context))
    .addCommand(fileDelete(context));
}

interface UploadOptions extends Options {
  readonly name?: string;
  readonly tag: readonly string[];
  readonly permanent: boolean;
}

function fileUpload(context: CommandContext): Command {
  const { terminal } = context;
  const command = fileCommand('upload', 'Upload a file')
    .argument('<file>', 'of this machine')
    .option('--name <name>', 'under which it is kept (default: its own)')
    .option('--tag <tag>', 'by which it is found; may be given again', collect, [])
    .option('--permanent', 'keep it until it is deleted, not for 15 days', false)
    .action(async (path: string, { name, tag, permanent, ...options }: UploadOptions) => {
      const { files } = await connect(context, options);
      const file = await uploadFile(files, terminal, { path, name, tags: tag, isPermanent: permanent });
      if (options.json) return printJson(terminal, file);
      const kept = file.expiresAt === undefined ? 'until it is deleted' : `until ${file.expiresAt}`;
      terminal.stdout.write(`File ${file.id} has ${formatByteSize(file.sizeBytes ?? 0)} and is kept ${kept}.\n`);
    });
  return withExamples(command, [
    ['file upload customers.csv --tag crm', 'its number stands in the answer'],
    ['file upload prices.csv.gz --permanent', 'as it is, until it is deleted'],
  ]);
}

interface ListOptions extends Options {
  readonly tag: readonly string[];
  readonly name?: string;
  readonly limit: number;
}

function fileList(context: CommandContext): Command {
  const command = fileCommand('list', 'List the files, the newest first')
    .option('--tag <tag>', 'only files with this tag; may be given again', collect, [])
    .option('--name <text>', 'only files with this text in their name')
    .option('--limit <files>', 'how many at most', parseCount('--limit', 1000), 100)
    .action(async ({ tag, name, limit, ...options }: ListOptions) => {
      const found = await (await connect(context, options)).files.list({ tags: tag, name, limit });
      if (options.json) return printJson(context.terminal, found);
      return printTable(context.terminal, {
        head: ['file', 'name', 'size', 'kept until', 'tags'],
        rows: found.map(({ id, name: called, sizeBytes = 0, expiresAt = 'it is deleted', tags }) => [
          id,
          called,
          formatByteSize(sizeBytes),
          expiresAt,
          tags.join(', '),
        ]),
        cut: 'tags',
        empty: 'There is no file.',
      });
    });
  return withExamples(command, [['file list --tag crm', 'those with the tag']]);
}

function fileDownload(context: CommandContext): Command {
  const { terminal } = context;
  const command = fileCommand('download', 'Write a file to standard output or to a file')
    .argument('<id>', 'its number')
    .option('--out <file>', 'write to this file, which appears when it is complete (default: standard output)')
    .action(async (id: string, { out, ...options }: Options & { readonly out?: string }) => {
      const { files } = await connect(context, options);
      const content = Readable.fromWeb(await files.download(id));
      if (out === undefined) return pipeline(content, terminal.stdout, { end: false, signal: context.signal });
      const bytes = await waitFor(terminal, `Downloading file ${id}`, writeWhole(content, out, context.signal));
      if (options.json) return printJson(terminal, { id: Number(id), file: out, bytes });
      return say(terminal, `${out}: ${formatByteSize(bytes)}`);
    });
  return withExamples(command, [['file download 17 --out customers.csv', 'as it was uploaded']]);
}

function fileDelete(context: CommandContext): Command {
  const command = fileCommand('delete', 'Delete a file')
    .argument('<id>', 'its number')
    .action(async (id: string, options: Options) => {
      await (await connect(context, options)).files.remove(id);
      if (options.json) printJson(context.terminal, { id: Number(id), isDeleted: true });
      else context.terminal.stdout.write(`File ${printable(id)} has been deleted.\n`);
    });
  return withExamples(command, [['file delete 17', 'at once; tables that were loaded from it stay']]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function fileCommand(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON instead of a sentence or a table', false)
    .option('--data-dir <folder>', 'data folder of the running process (default: MILLRACE_DATA_DIR)');
}
