import type { ComponentId } from '../../core/component.ts';
import type { Configuration, ConfigurationRow } from '../../core/configuration.ts';
import type { BranchId } from '../../core/ids.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { isScalar, scalarText } from '../../variables/named-list.ts';
import type { AskedValues, FoundVariables } from '../../variables/choose-values.ts';
import { rowToRead } from '../../variables/choose-values.ts';
import { parseSharedCode, type SharedCode } from '../../variables/shared-code.ts';
import { VariableError } from '../../variables/variable-error.ts';

/** Reads the configurations of one branch, each of them once. */
export class StoredConfigurations {
  readonly #catalog: Catalog;
  readonly #branchId: BranchId;
  readonly #read = new Map<string, Configuration | undefined>();

  constructor(catalog: Catalog, branchId: BranchId) {
    this.#catalog = catalog;
    this.#branchId = branchId;
  }

  /** Undefined when there is none, or when it was deleted. */
  async get(componentId: ComponentId, configurationId: string, options: Waiting): Promise<Configuration | undefined> {
    if (configurationId === '') return undefined;
    const id = configurationDocumentId({ branchId: this.#branchId, componentId, configurationId });
    if (!this.#read.has(id)) {
      const found = await readDocument(this.#catalog, { kind: configurationDocuments, id }, options);
      this.#read.set(id, found?.value.deleted === undefined ? found?.value : undefined);
    }
    return this.#read.get(id);
  }

  /** What `chooseValues` looks for. */
  async variables(asked: AskedValues, options: Waiting): Promise<FoundVariables> {
    const { variablesId = '' } = asked;
    const found = await this.get('variables', variablesId, options);
    if (found === undefined) return { definition: undefined };
    return { definition: jsonOf(found), row: jsonOf(rowOf(found, rowToRead(asked))) };
  }

  /** The pieces of shared code that a configuration names, in its order. */
  async sharedCode(configuration: unknown, options: Waiting): Promise<readonly SharedCode[]> {
    const id = textAt(configuration, 'shared_code_id');
    const rows = fieldAt(configuration, 'shared_code_row_ids');
    if (id === undefined || !Array.isArray(rows) || rows.length === 0) return [];
    const found = await this.get('shared-code', id, options);
    if (found === undefined)
      throw new VariableError(`Shared code configuration cannot be read: Configuration "${id}" not found`);
    // One that is named again has no more to give.
    const ids = [...new Set(rows.filter(isScalar).map(scalarText))];
    return ids.map((rowId) => parseSharedCode(rowId, jsonOf(rowOf(found, rowId))));
  }
}

function rowOf({ rows }: Configuration, id: string | undefined): ConfigurationRow | undefined {
  return rows.find(({ rowId }) => rowId === id);
}

/** What is configured, as a value; undefined of nothing. */
export function jsonOf(stored: Pick<ConfigurationRow, 'configuration'> | undefined): unknown {
  return stored === undefined ? undefined : objectOf(stored.configuration);
}

/** The value of a text that holds an object; an empty text is one without fields. */
export function objectOf(text: string): unknown {
  return text === '' ? {} : parseExactJsonText(text);
}

export function fieldAt(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return found;
}

/** The text of a field, also of one that is a number; undefined when it is empty. */
export function textAt(value: unknown, name: string): string | undefined {
  const found = fieldAt(value, name);
  if (!isScalar(found)) return undefined;
  const text = scalarText(found);
  return text === '' ? undefined : text;
}
