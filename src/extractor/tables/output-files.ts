export interface OutputOf {
  readonly outputBucket?: string | undefined;
  readonly configId?: string | undefined;
  readonly apiName: string;
  readonly incremental: boolean;
}

/** What stands beside a table's file. Without a destination it goes into the default bucket of its component. */
export interface Manifest {
  readonly destination?: string;
  readonly incremental: boolean;
  readonly primary_key?: readonly string[];
}

export function outputFileName(output: OutputOf, table: string): string {
  const bucket = bucketOf(output);
  return bucket === undefined ? table : `${bucket}.${table}`;
}

export function manifestOf(
  output: OutputOf,
  { name, primaryKey = [] }: { readonly name: string; readonly primaryKey?: readonly string[] },
): Manifest {
  const bucket = bucketOf(output);
  return {
    ...(bucket === undefined ? {} : { destination: `in.c-${bucket}.${name}` }),
    incremental: output.incremental,
    ...(primaryKey.length === 0 ? {} : { primary_key: primaryKey }),
  };
}

/** Every cell quoted, `"` doubled, `\n` at the end; the header is a line like the others. */
export function csvLine(cells: readonly string[]): string {
  return lineOf(cells.map(quoted));
}

/** A line of cells as they stand between its quotes. */
export function lineOf(cells: readonly string[]): string {
  return cells.length === 0 ? '\n' : `"${cells.join('","')}"\n`;
}

/** A cell as it stands between the quotes of a line. */
export function quoted(cell: string): string {
  return cell.includes('"') ? cell.replaceAll('"', '""') : cell;
}

function bucketOf({ outputBucket, configId, apiName }: OutputOf): string | undefined {
  if (outputBucket !== undefined && outputBucket !== '') return outputBucket;
  return configId === undefined || configId === '' ? undefined : `ex-api-${apiName}-${configId}`;
}
