import { readNamedList } from './named-list.ts';

/** One variable of a configuration of the component `variables`. */
export interface DefinedVariable {
  readonly name: string;
  /** Kept, and without a meaning: every value is a text. */
  readonly type: string;
}

/** Reads `{"variables": [{"name", "type"}]}`; `VariableError` says what is wrong with it. */
export function parseDefinition(configuration: unknown): readonly DefinedVariable[] {
  const shape = { list: 'variables', field: 'type', what: 'Variable configuration' } as const;
  return readNamedList(configuration, shape).map(([name, type]) => ({ name, type }));
}
