import type { Command } from 'commander';

/** A command, and what may be typed behind it. */
export interface CommandWords {
  /** Its name behind that of the program, such as `sink create`; empty for the program. */
  readonly path: string;
  readonly words: readonly Word[];
}

export interface Word {
  readonly text: string;
  readonly meaning: string;
}

/** Every command of a program with its subcommands and long options. */
export function commandWords(command: Command, path = ''): readonly CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((child) => ({
    text: child.name(),
    meaning: child.description(),
  }));
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (typeof long === 'string' ? { text: long, meaning: description } : []));
  const below = command.commands.flatMap((child) =>
    commandWords(child, path === '' ? child.name() : `${path} ${child.name()}`),
  );
  return [{ path, words: [...commands, ...options] }, ...below];
}
