import { Command, Help, type Option } from 'commander';
import { apply } from './apply/apply.ts';
import { diff } from './apply/diff.ts';
import { exportDeclarations } from './apply/export.ts';
import { audit } from './audit.ts';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { bucketCommands } from './bucket/bucket-commands.ts';
import { claim } from './claim.ts';
import type { CommandContext } from './command-context.ts';
import { configCommands } from './config/config-commands.ts';
import { completion } from './completion/completion.ts';
import { deadLettersCommands } from './dead-letters/dead-letters-commands.ts';
import { doctor } from './doctor.ts';
import { fileCommands } from './file/file-commands.ts';
import { flush } from './flush.ts';
import { health } from './health/health.ts';
import { clearStatistics } from './history/clear-statistics.ts';
import { rollback } from './history/rollback.ts';
import { versions } from './history/versions.ts';
import { jobRun } from './job/run.ts';
import { jobKill } from './job/kill.ts';
import { jobList } from './job/list.ts';
import { jobLog } from './job/log.ts';
import { jobShow } from './job/show.ts';
import { jsonnet } from './jsonnet/jsonnet.ts';
import { migrate } from './migrate.ts';
import { progress } from './progress.ts';
import { report } from './report/report.ts';
import { send } from './send/send.ts';
import { settingsCommands } from './settings-commands.ts';
import { sinkCreate } from './sink/create.ts';
import { sinkDelete } from './sink/delete.ts';
import { sinkDisable } from './sink/disable.ts';
import { sinkEnable } from './sink/enable.ts';
import { sinkFiles } from './sink/files.ts';
import { sinkImports } from './sink/imports.ts';
import { sinkList } from './sink/list.ts';
import { sinkShow } from './sink/show.ts';
import { sinkStatistics } from './sink/statistics.ts';
import { sinkUndelete } from './sink/undelete.ts';
import { sinkUpdate } from './sink/update.ts';
import { sourceCreate } from './source/create.ts';
import { sourceDelete } from './source/delete.ts';
import { sourceDisable } from './source/disable.ts';
import { sourceEnable } from './source/enable.ts';
import { sourceList } from './source/list.ts';
import { sourceRotateSecret } from './source/rotate-secret.ts';
import { sourceShow } from './source/show.ts';
import { sourceTail } from './source/tail.ts';
import { sourceUndelete } from './source/undelete.ts';
import { sourceUpdate } from './source/update.ts';
import { start } from './start/start.ts';
import { tableAddColumn } from './table/add-column.ts';
import { tableDelete } from './table/delete.ts';
import { tableDropColumn } from './table/drop-column.ts';
import { tableEmpty } from './table/empty.ts';
import { tableCreate } from './table/create.ts';
import { tableExport } from './table/export.ts';
import { tableImport } from './table/import.ts';
import { tableList } from './table/list.ts';
import { tableRename } from './table/rename.ts';
import { tableShow } from './table/show.ts';
import { trace } from './trace/trace.ts';
import { why } from './trace/why.ts';
import { asTyped } from './paste/as-typed.ts';
import { tokenCreate } from './token/create.ts';
import { tokenDelete } from './token/delete.ts';
import { tokenList } from './token/list.ts';
import { tokenRefresh } from './token/refresh.ts';
import { variablesRender } from './variables/render.ts';
import { vaultCommands } from './vault/vault-commands.ts';

const afterHelp = `
First steps:
  $ millrace start                                               # leave it running
  $ millrace source create Shop                                  # prints the URL for your webhooks
  $ millrace sink create shop Events --table in.c-shop.events    # a row for each event
  $ echo '{"hello":"world"}' | millrace send -                   # or with curl, to that URL
  $ millrace flush shop && millrace table show in.c-shop.events

The commands find a process on this machine through its data folder. For another one set MILLRACE_URL and
MILLRACE_TOKEN. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no process answers,
130 interrupted.`;

/** The whole command line. A command that fails throws; help and version throw commander's errors with exit code 0. */
export function createProgram(context: CommandContext): Command {
  const program = new Command(context.program)
    .description('Events in, tables out, exactly once, and able to prove it.')
    .version(context.product.version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', afterHelp)
    .addCommand(start(context))
    .addCommand(health(context))
    .addCommand(doctor(context))
    .addCommand(claim(context))
    .addCommand(sourceCommands(context))
    .addCommand(sinkCommands(context))
    .addCommand(send(context))
    .addCommand(progress(context))
    .addCommand(report(context))
    .addCommand(why(context))
    .addCommand(trace(context))
    .addCommand(flush(context))
    .addCommand(deadLettersCommands(context))
    .addCommand(apply(context))
    .addCommand(diff(context))
    .addCommand(exportDeclarations(context))
    .addCommand(jsonnet(context))
    .addCommand(configCommands(context))
    .addCommand(variablesCommands(context))
    .addCommand(vaultCommands(context))
    .addCommand(jobCommands(context))
    .addCommand(bucketCommands(context))
    .addCommand(tableCommands(context))
    .addCommand(fileCommands(context))
    .addCommand(tokenCommands(context))
    .addCommand(audit(context))
    .addCommand(backup(context))
    .addCommand(restore(context))
    .addCommand(migrate(context))
    .addCommand(completion(context));
  settle(program, context);
  return program;
}

function sourceCommands(context: CommandContext): Command {
  return new Command('source')
    .description('Sources: the endpoints that receive events')
    .addCommand(sourceList(context))
    .addCommand(sourceCreate(context))
    .addCommand(sourceShow(context))
    .addCommand(sourceTail(context))
    .addCommand(sourceUpdate(context))
    .addCommand(sourceDelete(context))
    .addCommand(sourceUndelete(context))
    .addCommand(sourceEnable(context))
    .addCommand(sourceDisable(context))
    .addCommand(sourceRotateSecret(context))
    .addCommand(versions(context, 'source'))
    .addCommand(rollback(context, 'source'))
    .addCommand(clearStatistics(context, 'source'))
    .addCommand(settingsCommands(context, 'source'));
}

function sinkCommands(context: CommandContext): Command {
  return new Command('sink')
    .description('Sinks: the tables that a source fills')
    .addCommand(sinkList(context))
    .addCommand(sinkCreate(context))
    .addCommand(sinkShow(context))
    .addCommand(sinkUpdate(context))
    .addCommand(sinkDelete(context))
    .addCommand(sinkUndelete(context))
    .addCommand(sinkEnable(context))
    .addCommand(sinkDisable(context))
    .addCommand(versions(context, 'sink'))
    .addCommand(rollback(context, 'sink'))
    .addCommand(sinkStatistics(context))
    .addCommand(sinkFiles(context))
    .addCommand(sinkImports(context))
    .addCommand(clearStatistics(context, 'sink'))
    .addCommand(settingsCommands(context, 'sink'));
}

function tableCommands(context: CommandContext): Command {
  return new Command('table')
    .description('Tables: what came out')
    .addCommand(tableList(context))
    .addCommand(tableShow(context))
    .addCommand(tableCreate(context))
    .addCommand(tableImport(context))
    .addCommand(tableExport(context))
    .addCommand(tableRename(context))
    .addCommand(tableAddColumn(context))
    .addCommand(tableDropColumn(context))
    .addCommand(tableEmpty(context))
    .addCommand(tableDelete(context));
}

function variablesCommands(context: CommandContext): Command {
  return new Command('variables')
    .description('Variables: placeholders of component configurations')
    .addCommand(variablesRender(context));
}

function jobCommands(context: CommandContext): Command {
  return new Command('job')
    .description('Jobs: runs of component configurations')
    .addCommand(jobRun(context))
    .addCommand(jobList(context))
    .addCommand(jobShow(context))
    .addCommand(jobLog(context))
    .addCommand(jobKill(context));
}

function tokenCommands(context: CommandContext): Command {
  return new Command('token')
    .description('Tokens: who may use the API')
    .addCommand(tokenList(context))
    .addCommand(tokenCreate(context))
    .addCommand(tokenRefresh(context))
    .addCommand(tokenDelete(context));
}

/** What commander does not pass on to commands that were made apart; and commands in texts as they are typed here. */
function settle(command: Command, context: Pick<CommandContext, 'terminal' | 'program' | 'withPages'>): void {
  const { terminal, program, withPages = (text) => text } = context;
  command
    .exitOverride()
    .showHelpAfterError(`Run "${pathOf(command)} --help" for what it takes.`)
    .showSuggestionAfterError()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(withPages(asTyped(text, program))),
      writeErr: (text) => void terminal.stderr.write(withPages(asTyped(text, program))),
      outputError: (text, write) => write(text.replace(/^error: /, 'millrace: ')),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    });
  for (const child of command.commands) settle(child, context);
}

/** Without the defaults that go without saying: a switch is off, a list is empty. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, '');
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
