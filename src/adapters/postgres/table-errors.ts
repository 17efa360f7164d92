import { MillraceError } from '../../core/millrace-error.ts';
import { sqlStateOf } from './errors.ts';

/** Codes under which PostgreSQL says that a table or its schema is not there. */
const missing: readonly string[] = ['42P01', '3F000'];

export function isMissingTable(thrown: unknown): boolean {
  return missing.includes(sqlStateOf(thrown) ?? '');
}

export function isLockTimeout(thrown: unknown): boolean {
  return sqlStateOf(thrown) === '55P03';
}

/**
 * What a load threw: `table.invalidContent` when the server refused the lines (class 22: not CSV, not UTF-8; 23502: a cell
 * without quotes and content; 54000: a row longer than a page holds), else the error itself. The cause is dropped,
 * because it quotes the line, which is a client's data.
 */
export function fromLoading(thrown: unknown, tableId: string): unknown {
  const state = sqlStateOf(thrown) ?? '';
  if (!state.startsWith('22') && state !== '23502' && state !== '54000') return thrown;
  const said = thrown instanceof Error ? thrown.message : '';
  const line = thrown instanceof Error && 'where' in thrown ? /line (\d+)/.exec(String(thrown.where))?.[1] : undefined;
  const at = line === undefined ? '' : ` at line ${line} of the import`;
  return new MillraceError(
    'table.invalidContent',
    `PostgreSQL refused the content for the table "${tableId}"${at}: ${reasonOf(state, said)}`,
    { details: { tableId, sqlState: state } },
  );
}

/** Of the texts of the server only those are shown that hold nothing of a cell. */
function reasonOf(state: string, said: string): string {
  const plain = /^(missing data for column .*|extra data after last expected column|unterminated CSV quoted field)$/;
  if (plain.test(said)) return said;
  if (state === '22021') return 'a cell is not valid UTF-8';
  if (state === '54000') return 'a row is too large for a page, even with its long cells outside';
  return 'a line does not follow the rules of CSV';
}
