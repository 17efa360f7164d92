import { globSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { CommanderError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../core/error-catalogue.ts';
import type { CommandContext } from './command-context.ts';
import { nameAdvices } from './name-advice.ts';
import { asTyped } from './paste/as-typed.ts';
import { createProgram } from './program.ts';

class Understood extends Error {}

const understood = (): never => {
  throw new Understood();
};

/** A context in which every command ends as soon as it asks for the configuration. */
function context(): CommandContext {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough().resume(), new PassThrough().resume()];
  return {
    terminal: { stdin, stdout, stderr, human: false, interactive: false, columns: 80 },
    signal: new AbortController().signal,
    program: 'millrace',
    product: {
      version: '1.2.3',
      start: understood,
      claimStores: understood,
      restore: understood,
      migrate: () => Promise.reject(new Error('not asked for')),
      examineCluster: understood,
      openSourceTopic: understood,
      extract: understood,
      tryExtraction: understood,
    },
    config: understood,
  };
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

function helpTexts(command: Command): readonly string[] {
  return [helpOf(command), ...command.commands.flatMap(helpTexts)];
}

/** Commands that do something; the others only lead to them. */
function endpoints(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(endpoints);
}

/** The arguments of each `millrace …` of the examples, as a shell would give them, without pipes and redirections. */
function examples(): readonly (readonly string[])[] {
  const lines = helpTexts(createProgram(context())).flatMap((text) => text.split('\n'));
  const commands = lines
    .filter((line) => /^\s+\$ /.test(line))
    .flatMap((line) => line.match(/\bmillrace [^|&<]*/g) ?? []);
  return commands.map((line) => {
    const words = line.replace(/\s(?:#|\d?>).*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
    return words.slice(1).map((word) => word.replaceAll(/^["']|["']$/g, ''));
  });
}

/** `millrace` with the name of a command behind it, up to the end of a text. */
const namedCommand = ((): RegExp => {
  const names = createProgram(context()).commands.map((command) => command.name());
  return new RegExp(`\\bmillrace (?:${names.join('|')})\\b[^'"\`\\\\|]*`, 'g');
})();

/** What a text of the product says behind `millrace`, comments left out. */
function commandsIn(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return code.match(namedCommand) ?? [];
}

describe('the commands that texts of the product name', () => {
  it('are those of help texts and of errors, which are printed as they are typed; the others are PasteLines', () => {
    const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
    const named = files.flatMap((file) => commandsIn(file).map((text) => text.trimEnd()));
    const actions = Object.values(errorCatalogue).map(({ action }) => action);
    const told = [...helpTexts(createProgram(context())), ...actions, ...nameAdvices];
    const other = named.filter((text) => !told.some((whole) => whole.includes(text)));
    expect(other).toEqual([]);
    expect(named.length).toBeGreaterThan(8);
  });

  it('are typed with the name of the program', () => {
    const text = 'run "millrace claim":\n  $ echo 1 | millrace send - && millrace flush shop 2>millrace.log # millrace';
    expect(asTyped(text, 'npx millrace')).toBe(
      'run "npx millrace claim":\n  $ echo 1 | npx millrace send - && npx millrace flush shop 2>millrace.log # millrace',
    );
  });
});

describe('the examples in the help texts', () => {
  it('are there for every command', () => {
    const without = endpoints(createProgram(context())).filter((command) => !helpOf(command).includes('$ millrace'));
    expect(without.map((command) => command.name())).toEqual([]);
    expect(examples().length).toBeGreaterThan(40);
  });

  it.each(examples().map((args) => [args.join(' '), args] as const))('%s: is understood', async (_line, args) => {
    const thrown: unknown = await createProgram(context())
      .parseAsync(args, { from: 'user' })
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(thrown instanceof CommanderError ? thrown.message : undefined).toBeUndefined();
    // What needs no process and no configuration is carried out.
    expect(thrown === undefined).toBe(args[0] === 'completion' || args.includes('--print'));
  });
});
