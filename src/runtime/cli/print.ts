import { styleText } from 'node:util';
import Table from 'cli-table3';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

export type Cell = string | number;

export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Said instead of an empty table, to a person. */
  readonly empty: string;
}

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

/** The lines of a table: with borders for a person, aligned by blanks for a pipe. */
export function tableText({ head, rows }: TableText, human: boolean): string {
  const numeric = head.map((_, index) => rows.length > 0 && rows.every((row) => typeof row[index] === 'number'));
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: human
      ? { head: ['bold'], border: ['gray'] }
      : { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    chars: human ? { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } : noBorders,
  });
  for (const row of rows) table.push(row.map((cell) => cellText(cell, human)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

export function printTable({ stdout, human }: Terminal, table: TableText): void {
  stdout.write(human && table.rows.length === 0 ? `${table.empty}\n` : `${tableText(table, human)}\n`);
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

export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** A sentence for a person; a program reads exit codes and JSON. */
export function say({ stderr }: Terminal, text: string): void {
  stderr.write(`${text}\n`);
}
