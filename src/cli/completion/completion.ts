import { Argument, Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { say } from '../print.ts';
import { commandWords } from './command-words.ts';
import { completionScripts, shells, type Shell } from './shell-scripts.ts';

/** What lets a shell find the program by its name where it is called as `npx millrace`. */
const namedFunction: Readonly<Record<Shell, string>> = {
  bash: 'millrace() { npx millrace "$@"; }',
  zsh: 'millrace() { npx millrace "$@"; }',
  fish: 'function millrace; npx millrace $argv; end',
};

/** `millrace completion SHELL` */
export function completion({ terminal, program }: Pick<CommandContext, 'terminal' | 'program'>): Command {
  const command = new Command('completion')
    .description('Print what lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(shells))
    .addHelpText(
      'after',
      `
A shell completes what stands first in a line. Behind "npx millrace" that is npx, whose completion is not ours to replace. Put millrace
where the shell finds it ("npm link" in a clone), or give the shell a function of that name; what it is called is said when it is missing.`,
    )
    .action((shell: Shell) => {
      const { parent } = command;
      if (parent === null) return;
      terminal.stdout.write(completionScripts[shell](commandWords(parent)));
      // Where the script goes into a file, the person sees this alone.
      if (program !== 'millrace')
        say(
          terminal,
          `This completes lines that begin with millrace, a name that the shell does not know yet. Where npx runs it, add: ${namedFunction[shell]}`,
        );
    });
  return withExamples(command, [
    ['completion bash >> ~/.bashrc', 'in every bash from the next one on'],
    ['completion zsh >> ~/.zshrc', 'the same for zsh'],
    ['completion fish > ~/.config/fish/completions/millrace.fish', 'the same for fish'],
  ]);
}
