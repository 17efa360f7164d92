import { Argument, Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { commandWords } from './command-words.ts';
import { completionScripts, shells, type Shell } from './shell-scripts.ts';

/** `millrace completion SHELL` */
export function completion({ terminal }: CommandContext): Command {
  const command = new Command('completion')
    .description('Print what lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(shells))
    .action((shell: Shell) => {
      const { parent } = command;
      if (parent !== null) terminal.stdout.write(completionScripts[shell](commandWords(parent)));
    });
  return withExamples(command, [
    ['completion bash >> ~/.bashrc', 'in every bash from the next one on'],
    ['completion zsh >> ~/.zshrc', 'the same for zsh'],
    ['completion fish > ~/.config/fish/completions/millrace.fish', 'the same for fish'],
  ]);
}
