import { limits } from '../../core/limits.ts';
import { identifier, literal } from './sql.ts';

/** No line of rows is longer; a dead letter, which holds a whole request body in base64, may be. */
export const ordinaryLineBytes = 2 * limits.rowBytes;

const longestLineBytes = 64 * 1024 * 1024;

/** A bound that no line of a dead letter file of so many bytes exceeds, as far as request bodies can be that long. */
export function deadLineBytes(fileBytes: number): number {
  return Math.min(longestLineBytes, Math.max(ordinaryLineBytes, fileBytes));
}

/** What the table function calls the cells of a row, from 0. */
export function csvCell(index: number): string {
  return identifier(`c${index}`);
}

/**
 * The table function that reads CSV files of staging, in the order of `paths`, as `columnCount` texts a row. No line may be
 * longer than `lineBytes`: of a longer one DuckDB may make other rows instead of an error.
 *
 * Nothing is guessed: dialect, columns and encoding are given, and a quoted cell is never NULL. `parallel` is off even for
 * one thread, because the parallel reader looks for line ends in the middle of a file and takes some inside long cells for one.
 */
export function readCsv(
  paths: readonly string[],
  { columnCount, lineBytes }: { readonly columnCount: number; readonly lineBytes: number },
): string {
  const columns = Array.from({ length: columnCount }, (_, index) => `${csvCell(index)}: 'VARCHAR'`);
  return `read_csv([${paths.map((path) => literal(globLiteral(path))).join(', ')}], columns = {${columns.join(', ')}},
    auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', comment = '', new_line = '\\n',
    nullstr = '\\N', allow_quoted_nulls = false, null_padding = false, ignore_errors = false, strict_mode = true,
    parallel = false, encoding = 'utf-8', compression = 'none', hive_partitioning = false, union_by_name = false,
    max_line_size = ${lineBytes}, buffer_size = ${2 * lineBytes})`;
}

/** DuckDB takes a path for a pattern; a bracketed character stands for itself. */
function globLiteral(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}
