import { MillraceError } from '../../core/millrace-error.ts';
import { parseTableId, type TableId } from '../../core/table-id.ts';
import type { OutputTable } from '../../extractor/extraction.ts';
import { fieldOf, isList, isObject, type JsonValue } from '../../extractor/values/json-value.ts';
import { JobFault } from './job-fault.ts';

/** Where one table of a run goes. */
export interface Destination {
  readonly tableId: TableId;
  readonly isIncremental: boolean;
  readonly primaryKey: readonly string[];
}

export interface DestinationRequest {
  readonly table: Pick<OutputTable, 'fileName' | 'name' | 'manifest'>;
  /** As the run got it: `storage.output` says more of its tables. */
  readonly configuration: JsonValue;
  readonly componentId: string;
  readonly configurationId: string | undefined;
}

/**
 * What `storage.output.tables` says of the file, else its manifest, else the default bucket. `JobFault` when nothing says where
 * it goes, or when no table can have that name.
 */
export function destinationOf({ table, configuration, ...of }: DestinationRequest): Destination {
  const output = fieldAt(configuration, ['storage', 'output']);
  const mapping = mappingOf(output, table.fileName);
  const { destination, incremental, primary_key: primaryKey = [] } = table.manifest;
  const id = textOf(fieldAt(mapping, ['destination'])) ?? destination ?? table.name;
  return {
    tableId: checked(isWhole(id) ? id : `${defaultBucket(output, of)}.${id}`, table.fileName),
    isIncremental: booleanOf(fieldAt(mapping, ['incremental'])) ?? incremental,
    primaryKey: textsOf(fieldAt(mapping, ['primary_key'])) ?? primaryKey,
  };
}

function isWhole(id: string): boolean {
  return /^(?:in|out|sys)\..+\../.test(id);
}

function checked(id: string, fileName: string): TableId {
  try {
    return parseTableId(id);
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new JobFault('user', `Failed to resolve destination for output table "${fileName}". ${message}`);
  }
}

function defaultBucket(
  output: JsonValue | undefined,
  { componentId, configurationId }: Pick<DestinationRequest, 'componentId' | 'configurationId'>,
): string {
  const given = textOf(fieldAt(output, ['default_bucket']));
  if (given !== undefined) return given;
  if (configurationId === undefined)
    throw new JobFault('user', 'Configuration ID not set, but is required for default_bucket option.');
  return `in.c-${componentId.replace(/[^a-zA-Z0-9-]/g, '-')}-${configurationId}`;
}

function mappingOf(output: JsonValue | undefined, fileName: string): JsonValue | undefined {
  const tables = fieldAt(output, ['tables']);
  if (!isList(tables)) return undefined;
  return tables.find((one) => textOf(fieldAt(one, ['source']))?.replace(/\.csv$/, '') === fileName);
}

function fieldAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const name of path) found = isObject(found) ? fieldOf(found, name) : undefined;
  return found;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function booleanOf(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
