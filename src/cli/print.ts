import { stripVTControlCharacters, styleText } from 'node:util';
import Table from 'cli-table3';
import { adviceText, type Advice } from './paste/next-step.ts';
import { columnsOf, printable } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { withoutHiddenText } from './without-hidden-text.ts';

export type Cell = string | number;

export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Said instead of an empty table, to a person. */
  readonly empty: string | Advice;
  /** Title of the column that is cut, for a person, when the table is wider than the terminal. */
  readonly cut?: string;
}

/** Who reads the table. */
export type Reader = Pick<Terminal, 'human' | 'columns'>;

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Numbers with thousands apart for a person, plain for a program. */
function cellText(cell: Cell, human: boolean): string {
  if (typeof cell === 'string') return printable(cell);
  return human ? cell.toLocaleString('en-US').replaceAll(',', ' ') : String(cell);
}

/**
 * The lines of a table: with borders for a person, aligned by blanks for a pipe and where borders do not fit into the
 * terminal.
 */
export function tableText(table: TableText, { human, columns }: Reader): string {
  const texts = table.rows.map((row) => row.map((cell) => cellText(cell, human)));
  if (!human) return layOut(table, texts, { human, borders: false });
  const full = layOut(table, texts, { human, borders: true });
  const over = widthOf(full) - columns;
  if (over <= 0) return full;
  const cut = cutTo(table, texts, over);
  const short = layOut(table, cut, { human, borders: true });
  return widthOf(short) > columns ? layOut(table, cut, { human, borders: false }) : short;
}

const narrowest = 16;

/** The texts with the column that may be cut, so much narrower. */
function cutTo({ head, cut }: TableText, texts: Texts, by: number): Texts {
  const index = cut === undefined ? -1 : head.indexOf(cut);
  const widest = Math.max(...texts.map((row) => columnsOf(row[index] ?? '')));
  const width = Math.max(narrowest, widest - by);
  return texts.map((row) => row.map((text, column) => (column === index ? printable(text, width) : text)));
}

function widthOf(lines: string): number {
  return Math.max(...lines.split('\n').map((line) => columnsOf(stripVTControlCharacters(line))));
}

type Texts = readonly (readonly string[])[];

interface Layout {
  readonly human: boolean;
  readonly borders: boolean;
}

function layOut({ head, rows }: TableText, texts: Texts, { human, borders }: Layout): string {
  const numeric = head.map((_, index) => rows.length > 0 && rows.every((row) => typeof row[index] === 'number'));
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: {
      head: borders ? ['bold'] : [],
      border: borders ? ['gray'] : [],
      ...(borders ? {} : { 'padding-left': 0, 'padding-right': 0 }),
    },
    chars: borders ? { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } : noBorders,
  });
  for (const row of texts) table.push([...row]);
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const isTitle = (index: number): boolean => human && !borders && index === 0;
  return lines
    .map((line, index) => (isTitle(index) ? styleText('bold', line, { validateStream: false }) : line))
    .join('\n');
}

export function printTable(terminal: Terminal, table: TableText): void {
  const isEmpty = terminal.human && table.rows.length === 0;
  terminal.stdout.write(`${isEmpty ? emptyText(table) : tableText(table, terminal)}\n`);
}

function emptyText({ empty }: TableText): string {
  return typeof empty === 'string' ? empty : adviceText(empty);
}

/** One thing: a label and a value a line. Values that are undefined are left out. */
export function printFields({ stdout, human }: Terminal, fields: Readonly<Record<string, Cell | undefined>>): void {
  const shown = Object.entries(fields).filter((field): field is [string, Cell] => field[1] !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length));
  for (const [label, value] of shown) {
    const name = label.padEnd(width);
    stdout.write(`${human ? styleText('dim', name, { validateStream: false }) : name}  ${cellText(value, human)}\n`);
  }
}

/** Indented, and safe for a terminal: what could move its cursor or hide text is escaped. */
export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${withoutHiddenText(JSON.stringify(value, undefined, 2))}\n`);
}

/** What a person may type next. */
export function advise(terminal: Terminal, advice: Advice): void {
  say(terminal, `\n${adviceText(advice)}`);
}

/** A sentence for a person; a program reads exit codes and JSON. */
export function say({ stderr }: Terminal, text: string): void {
  stderr.write(`${text}\n`);
}
