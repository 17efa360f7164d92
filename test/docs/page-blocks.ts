/** A command of a page, and what the page shows that it prints. */
export interface PageCommand {
  /** Line of the page, from 1. */
  readonly line: number;
  readonly text: string;
  /** Empty when the page shows nothing. */
  readonly shown: readonly string[];
}

const fence = /^( *)```(\w*)/;

/** The commands of the `sh` and `console` blocks of a page, in order. An `sh` block is one command that shows nothing. */
export function commandsOf(page: string): readonly PageCommand[] {
  const commands: PageCommand[] = [];
  const lines = page.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const opened = fence.exec(lines[at] ?? '');
    if (opened === null) continue;
    const [, indent = '', language = ''] = opened;
    const first = at + 1;
    at += 1;
    while (at < lines.length && lines[at] !== `${indent}\`\`\``) at += 1;
    const block = lines.slice(first, at).map((line) => line.slice(indent.length));
    if (language === 'sh') commands.push({ line: first + 1, text: block.join('\n'), shown: [] });
    if (language === 'console') commands.push(...session(block, first + 1));
  }
  return commands;
}

/** Reads `$ command`, continued after a backslash or on lines with `> `, and what it prints up to the next `$ `. */
function session(block: readonly string[], firstLine: number): readonly PageCommand[] {
  const commands: { line: number; text: string; shown: string[] }[] = [];
  let open = false;
  for (const [index, line] of block.entries()) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) {
      commands.push({ line: firstLine + index, text: line.slice(2), shown: [] });
    } else if (last === undefined) {
      throw new Error(`line ${firstLine + index}: a console block begins with "$ "`);
    } else if (last.shown.length === 0 && (open || line.startsWith('> '))) {
      last.text += `\n${line.replace(/^> /, '')}`;
    } else {
      last.shown.push(line);
    }
    open = (line.startsWith('$ ') || open) && line.endsWith('\\');
  }
  return commands.map(({ shown, ...command }) => ({ ...command, shown: withoutBlankEnd(shown) }));
}

/** Blank lines keep commands apart: they are not printed. */
function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
