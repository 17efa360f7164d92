import { parseDefinition } from './definition.ts';
import { parseGivenValues, parseValuesRow } from './values.ts';
import { VariableError } from './variable-error.ts';

/** What a job asks for. Empty ids and an empty list count as not given. */
export interface AskedValues {
  /** `variables_id` of the configuration. */
  readonly variablesId?: string | undefined;
  /** `variables_values_id` of the configuration. */
  readonly defaultValuesId?: string | undefined;
  /** `variableValuesId` of the job. */
  readonly valuesId?: string | undefined;
  /** `variableValuesData.values` of the job. */
  readonly values?: unknown;
}

/** Stored configurations that were looked for; undefined what is not there. */
export interface FoundVariables {
  readonly definition: unknown;
  /** Of the row that `rowToRead` names. */
  readonly row?: unknown;
}

export interface ChosenValues {
  readonly values: ReadonlyMap<string, string>;
  /** For the log of the job: where they came from. */
  readonly note: string;
}

/** The row of values to look for; undefined when none decides. */
export function rowToRead({ variablesId, defaultValuesId, valuesId, values }: AskedValues): string | undefined {
  if (!isGiven(variablesId) || isNotEmpty(values)) return undefined;
  return isGiven(valuesId) ? valuesId : isGiven(defaultValuesId) ? defaultValuesId : undefined;
}

/**
 * The values that count: those of the job, else the row that the job names, else the default row of the configuration. Undefined
 * without a variable configuration. Each variable that is defined must have a value; others may have one.
 */
export function chooseValues(asked: AskedValues, found: FoundVariables): ChosenValues | undefined {
  const { variablesId, valuesId } = asked;
  if (isGiven(valuesId) && isNotEmpty(asked.values))
    throw new VariableError('Only one of variableValuesId and variableValuesData can be entered.');
  if (!isGiven(variablesId)) return undefined;
  if (found.definition === undefined)
    throw new VariableError(`Variable configuration cannot be read: Configuration "${variablesId}" not found`);
  const defined = parseDefinition(found.definition);
  const chosen = decide(asked, { variablesId, row: found.row });
  const without = defined.find(({ name }) => !chosen.values.has(name));
  if (without !== undefined) throw new VariableError(`No value provided for variable "${without.name}".`);
  return chosen;
}

/** What a request that creates a job may not have. */
export function refuseTwoSources({ valuesId, values }: Pick<AskedValues, 'valuesId' | 'values'>): void {
  if (isGiven(valuesId) && isNotEmpty(values))
    throw new VariableError('Provide either "variableValuesId" or "variableValuesData", but not both.');
}

function decide(
  asked: AskedValues,
  { variablesId, row }: { readonly variablesId: string; readonly row: unknown },
): ChosenValues {
  if (isNotEmpty(asked.values))
    return { values: parseGivenValues(asked.values), note: 'Replacing variables using inline values.' };
  const id = rowToRead(asked);
  if (id === undefined)
    throw new VariableError(`No variable values provided for variables configuration "${variablesId}".`);
  if (row === undefined)
    throw new VariableError(`Cannot read variable values "${id}" of variables configuration "${variablesId}".`);
  const note = isGiven(asked.valuesId)
    ? `Replacing variables using values with ID: "${id}".`
    : `Replacing variables using default values with ID: "${id}"`;
  return { values: parseValuesRow(row), note };
}

function isGiven(id: string | undefined): id is string {
  return id !== undefined && id !== '';
}

function isNotEmpty(values: unknown): boolean {
  if (Array.isArray(values)) return values.length > 0;
  return values !== undefined && values !== null;
}
