import { identifier, literal } from './sql.ts';

/** Longest line of a CSV file, bytes: a row is at most 1,536 KB, a dead letter holds a whole request body in base64. */
export const maxLineBytes = 16 * 1024 * 1024;

/**
 * The table function that reads CSV files of staging, in the order of `paths`, as `columnCount` texts a row.
 *
 * Nothing is guessed: dialect, columns and encoding are given, and a quoted cell is never NULL. `parallel` stays on with one
 * thread, because a load that is not parallel keeps all rows in memory until the end. A buffer must hold two lines.
 */
export function readCsv(paths: readonly string[], columnCount: number): string {
  const columns = Array.from({ length: columnCount }, (_, index) => `${identifier(`c${index}`)}: 'VARCHAR'`);
  return `read_csv([${paths.map((path) => literal(globLiteral(path))).join(', ')}], columns = {${columns.join(', ')}},
    auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', comment = '', new_line = '\\n',
    nullstr = '\\N', allow_quoted_nulls = false, null_padding = false, ignore_errors = false, strict_mode = true,
    parallel = true, encoding = 'utf-8', compression = 'none', hive_partitioning = false, union_by_name = false,
    max_line_size = ${maxLineBytes}, buffer_size = ${2 * maxLineBytes})`;
}

/** DuckDB takes a path for a pattern; a bracketed character stands for itself. */
function globLiteral(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}
