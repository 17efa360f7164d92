import { shellWord } from '../paste/shell-word.ts';
import type { CommandWords } from './command-words.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What a shell reads to complete the commands and options of the program; after them it completes names of files. */
export const completionScripts: { readonly [S in Shell]: (commands: readonly CommandWords[]) => string } = {
  bash: bashScript,
  // zsh reads what is written for bash.
  zsh: (commands) => `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** The command so far is what the words before the cursor name one after another; options between them are passed over. */
function bashScript(commands: readonly CommandWords[]): string {
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`]));
  const cases = commands.map(
    ({ path, words }) => `    "${path}") words=${shellWord(words.map(({ text }) => text).join(' '))} ;;`,
  );
  return `_millrace() {
  local at=1 path= words=
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case "\${path:+$path }\${COMP_WORDS[at]}" in
      ${paths.join(' | ')}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;
    esac
    at=$((at + 1))
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _millrace millrace
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [fishWord(` ${path}`)]));
  const lines = commands.flatMap(({ path, words }) => {
    const here = `-n ${fishWord(`test "$(__millrace_path)" = "${path}"`)}`;
    return words.map(({ text, meaning }) =>
      text.startsWith('--')
        ? `complete -c millrace ${here} -l ${text.slice(2)} -d ${fishWord(meaning)}`
        : `complete -c millrace ${here} -a ${text} -d ${fishWord(meaning)}`,
    );
  });
  return `function __millrace_path
  set -l path
  for word in (commandline -opc)[2..]
    if contains -- "$path $word" ${paths.join(' ')}
      set path "$path $word"
    end
  end
  string trim -- "$path"
end
${lines.join('\n')}
`;
}

function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
