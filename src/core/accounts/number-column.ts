/**
 * Counts in order as a short text: the first as it is, then how much each is above the one before, and `*3` for three more that are
 * equal to the one before. `100 5 *2 -1` is 100, 105, 105, 105, 104; a text without anything is no number.
 */
export type NumberColumn = string;

export const numberColumnPattern = /^(?:-?[0-9]+(?: (?:-?[0-9]+|\*[0-9]+))*)?$/;

export function readColumn(column: NumberColumn): readonly number[] {
  const numbers: number[] = [];
  let last = 0;
  for (const word of wordsOf(column)) {
    const times = timesOf(word);
    if (times === undefined) numbers.push((last += Number(word)));
    else for (let count = 0; count < times; count += 1) numbers.push(last);
  }
  return numbers;
}

/** The column with one number more. */
export function appendToColumn(column: NumberColumn, number: number): NumberColumn {
  if (column === '') return String(number);
  const words = wordsOf(column);
  const last = words.reduce((sum, word) => (timesOf(word) === undefined ? sum + Number(word) : sum), 0);
  if (number !== last) return `${column} ${number - last}`;
  const tail = words.at(-1) ?? '';
  const times = timesOf(tail);
  return times === undefined ? `${column} *1` : `${column.slice(0, -tail.length)}*${times + 1}`;
}

function wordsOf(column: NumberColumn): readonly string[] {
  return column === '' ? [] : column.split(' ');
}

function timesOf(word: string): number | undefined {
  return word.startsWith('*') ? Number(word.slice(1)) : undefined;
}
