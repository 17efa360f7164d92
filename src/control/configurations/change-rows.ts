import { isDeepStrictEqual } from 'node:util';
import type { Configuration, ConfigurationKey, ConfigurationRow } from '../../core/configuration.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { noRow } from '../store/configurations.ts';
import { takeConfigurationNumber } from '../store/counter.ts';
import { randomText } from '../store/random-text.ts';
import { changeConfiguration } from './change-configuration.ts';
import { withFields, type ConfigurationParts, type Described, type WantedFields } from './configuration-changes.ts';

interface RowOf {
  readonly key: ConfigurationKey;
  readonly rowId: string;
  readonly change: Change;
}

export interface RowCreation extends Omit<RowOf, 'rowId'> {
  /** Absent: a number that no other row of the installation was given. */
  readonly rowId?: string | undefined;
  readonly wanted: WantedFields;
}

const nothing: Described = { name: '', description: '', configuration: '{}', state: '{}', isDisabled: false };

/** Adds a row behind the others; the configuration gets a version, too. `configuration.exists`, `configuration.tooMany`. */
export async function createRow(
  parts: ConfigurationParts,
  { key, rowId: given, wanted, change }: RowCreation,
  options: Waiting,
): Promise<ConfigurationRow> {
  let rowId = given ?? '';
  const after = await changeConfiguration(
    parts,
    {
      key,
      change,
      plan: async (before, { encrypt, stamp }) => {
        rowId = given ?? (await freeId(parts, before, options));
        if (hasRow(before, rowId)) throw exists(rowId);
        const note = wanted.changeDescription ?? `Row ${rowId} added`;
        const version = { number: 1, changeDescription: note, at: stamp.at, by: stamp.by };
        const row = { rowId, ...withFields(nothing, wanted, encrypt), version, created: stamp };
        return { make: (found) => ({ ...found, rows: [...found.rows, row] }), note };
      },
    },
    options,
  );
  return rowOf(after, rowId);
}

export interface RowUpdate extends RowOf {
  readonly wanted: WantedFields;
}

/** Changes a row, which gets a version, and so does its configuration; a state alone makes none. */
export async function updateRow(
  parts: ConfigurationParts,
  { key, rowId, wanted, change }: RowUpdate,
  options: Waiting,
): Promise<ConfigurationRow> {
  const after = await changeConfiguration(
    parts,
    {
      key,
      change,
      plan: (before, { encrypt, stamp }) => {
        const row = rowOf(before, rowId);
        const { state, ...made } = withFields(row, wanted, encrypt);
        const note = wanted.changeDescription ?? `Row ${rowId} changed`;
        const { state: _, ...was } = row;
        const number = row.version.number + 1;
        const versioned = isDeepStrictEqual(made, was)
          ? made
          : { ...made, version: { number, changeDescription: note, at: stamp.at, by: stamp.by } };
        const changed = wanted.state === undefined ? versioned : { ...versioned, state };
        return { make: (found) => withRow(found, rowId, changed), note };
      },
    },
    options,
  );
  return rowOf(after, rowId);
}

/** Deletes a row for good; versions of the configuration still have it. */
export async function deleteRow(
  parts: ConfigurationParts,
  { key, rowId, changeDescription, change }: RowOf & { readonly changeDescription?: string | undefined },
  options: Waiting,
): Promise<void> {
  await changeConfiguration(
    parts,
    {
      key,
      change,
      plan: (before) => {
        rowOf(before, rowId);
        const make = (found: Configuration): Configuration => ({
          ...found,
          rows: found.rows.filter((row) => row.rowId !== rowId),
        });
        return { make, note: changeDescription ?? `Row ${rowId} deleted` };
      },
    },
    options,
  );
}

/** A row; `configuration.notFound`. */
export function rowOf({ rows }: Configuration, rowId: string): ConfigurationRow {
  const found = rows.find((row) => row.rowId === rowId);
  if (found !== undefined) return found;
  throw noRow(rowId);
}

/** The row with its changes: a state that was written meanwhile stays. */
function withRow(configuration: Configuration, rowId: string, changed: Partial<ConfigurationRow>): Configuration {
  const rows = configuration.rows.map((row) => (row.rowId === rowId ? { ...row, ...changed } : row));
  return { ...configuration, rows };
}

function hasRow({ rows }: Configuration, rowId: string): boolean {
  return rows.some((row) => row.rowId === rowId);
}

async function freeId(parts: ConfigurationParts, before: Configuration, options: Waiting): Promise<string> {
  for (;;) {
    const rowId = String(await takeConfigurationNumber(parts.catalog, randomText(parts.random, 16), options));
    if (!hasRow(before, rowId)) return rowId;
  }
}

function exists(rowId: string): MillraceError {
  return new MillraceError('configuration.exists', `Row ${rowId} already exists`);
}
