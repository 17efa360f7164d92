import { styleText } from 'node:util';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Finding } from './compare-tables.ts';

type Style = Parameters<typeof styleText>[0];

const shownProblems = 5;
const widestLine = 100;

/** Tells the story of the demo: with colours to a person, plain to a pipe. */
export class Narrator {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  say(text = ''): void {
    this.terminal.stdout.write(`${text}\n`);
  }

  /** A step that begins here. */
  step(text: string): void {
    this.say(`\n${this.#styled('bold', text)}`);
  }

  /** What a person would type for the same. */
  command(text: string): void {
    this.say(`\n${this.#styled('dim', '$')} ${this.#styled('bold', broken(`millrace ${text}`).join(' \\\n    '))}`);
  }

  finding({ claim, against }: Finding): void {
    const mark = against.length === 0 ? this.#styled('green', '✓') : this.#styled('red', '✗');
    this.say(`  ${mark} ${claim}`);
    for (const problem of against.slice(0, shownProblems)) this.say(`      ${problem}`);
    if (against.length > shownProblems) this.say(`      and ${against.length - shownProblems} more`);
  }

  #styled(style: Style, text: string): string {
    return this.terminal.human ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** A command in lines that fit, broken before a blank outside of quotes. */
function broken(command: string): readonly string[] {
  const lines: string[] = [];
  for (const word of command.match(/'[^']*'|[^ ]+/g) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > widestLine) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
