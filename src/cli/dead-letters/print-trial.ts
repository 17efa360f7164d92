import { printJson, printTable, say } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import type { ReplayTrialShape } from './letter-client.ts';

/** What a replay would make of the first letters: the rows, and why others stay. */
export function printTrial(terminal: Terminal, trial: ReplayTrialShape, json: boolean): void {
  if (json) return printJson(terminal, trial);
  const { matching, earlier, letters } = trial;
  printTable(terminal, {
    head: ['event', 'outcome', 'row'],
    rows: letters.map((letter) => [letter.eventId, outcomeText(letter), rowText(letter)]),
    cut: 'row',
    empty: 'No dead letter of this sink would be looked at.',
  });
  if (terminal.human && matching > 0)
    say(terminal, `${letters.length} of ${matching} dead letters were tried; nothing was changed`);
  sayEarlier(terminal, earlier);
}

/** Of letters that a list of the sink shows, and a replay does not take. */
export function sayEarlier(terminal: Terminal, earlier: number): void {
  if (earlier > 0)
    say(terminal, `${earlier} more are of earlier existences of the sink: their accounts are closed, and they stay`);
}

function outcomeText({ outcome, reason, column }: ReplayTrialShape['letters'][number]): string {
  if (outcome !== 'refused') return outcome === 'partial' ? 'stays: it is not whole' : outcome;
  return `stays: ${reason ?? ''}${column === undefined || column === '' ? '' : ` of ${column}`}`;
}

function rowText({ row, message }: ReplayTrialShape['letters'][number]): string {
  return row === undefined ? (message ?? '') : JSON.stringify(row);
}
