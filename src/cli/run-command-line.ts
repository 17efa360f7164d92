import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { readConfig, usualDataDir } from '../config/config.ts';
import { errorCatalogue, type ErrorCode } from '../core/error-catalogue.ts';
import { isCancellation, MillraceError } from '../core/millrace-error.ts';
import type { Product } from '../runtime/product.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { onFirstSignal } from './interruption.ts';
import { asTyped } from './paste/as-typed.ts';
import { PasteLines } from './paste/paste-lines.ts';
import { withPagePaths } from './paste/page-paths.ts';
import { packageRoot, programName } from './paste/program-name.ts';
import { isBrokenPipe, watchOutput } from './output-watch.ts';
import { say } from './print.ts';
import { createProgram } from './program.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** What a shell shows for a command that Ctrl-C ended. */
const interruptedExitCode = 130;

/** Codes whose messages name the field and its rule: "correct what the message names" would add nothing. */
const saysWhatToDo: readonly ErrorCode[] = [
  'client.refused',
  'client.differs',
  'client.incomparable',
  'client.templateFailed',
  'client.notRendered',
  'client.extractionRefused',
  'input.invalid',
  'config.invalid',
];

/** Runs one command line and gives the exit code; says on standard error what went wrong and what to do. */
export async function runCommandLine(args: readonly string[], product: Product): Promise<number> {
  const terminal = processTerminal();
  const output = watchOutput(terminal.stdout);
  const context = contextOf(terminal, product);
  const program = createProgram(context);
  const thrown = await endOf(async () => {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  });
  const failure = (await output.failure()) ?? thrown;
  if (failure === undefined || isBrokenPipe(failure)) return exitCodes.ok;
  if (isCancellation(failure)) return interruptedExitCode;
  if (!(failure instanceof CommanderError)) explain(context, MillraceError.fromUnknown(failure));
  return exitCodeOf(failure);
}

/** What the work threw, undefined when it ended well. */
async function endOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/** The first command that asks for the signal listens to Ctrl-C; a command that does not ask dies of it, or has its own way. */
function contextOf(terminal: Terminal, product: Product): CommandContext {
  let interruption: AbortController | undefined;
  return {
    terminal,
    product,
    program: ownName(),
    withPages,
    config: readConfig,
    get signal() {
      if (interruption === undefined) {
        const controller = new AbortController();
        onFirstSignal(() => controller.abort());
        interruption = controller;
      }
      return interruption.signal;
    },
  };
}

/** The data folder that an error is about, where a command must be told of it. */
function namedPlace({ details: { dataDir } }: MillraceError): { readonly dataDir?: string } {
  return typeof dataDir === 'string' && dataDir !== resolve(usualDataDir) ? { dataDir } : {};
}

function withPages(text: string): string {
  const workingDir = process.cwd();
  const folder = packageRoot(realpathSync(process.argv[1] ?? ''));
  return folder === undefined ? text : withPagePaths(text, { folder, workingDir });
}

function ownName(): string {
  const { argv, execPath: node, env } = process;
  return programName({ entry: argv[1] ?? '', node, workingDir: process.cwd(), path: env['PATH'] ?? '' });
}

/** What happened, and what to do: the advice of the error's own, where a command knows better than the catalogue. */
function explain({ terminal, program }: CommandContext, error: MillraceError): void {
  const start = new PasteLines({ program, ...namedPlace(error) }).start();
  const tell = (text: string): void => {
    const typed = text.replace('"millrace start"', () => `"${start}"`);
    say(terminal, withPages(asTyped(typed, program)));
  };
  tell(`millrace: ${error.message.replace(/(?<=[\p{L}\p{N}'")])$/u, '.')}`);
  const { advice } = error.details;
  if (typeof advice === 'string') tell(advice);
  else if (!saysWhatToDo.includes(error.code)) tell(errorCatalogue[error.code].action);
  if (error.code !== 'internal.bug') return;
  const { cause } = error;
  say(terminal, (cause instanceof Error ? cause.stack : undefined) ?? error.stack ?? '');
}
