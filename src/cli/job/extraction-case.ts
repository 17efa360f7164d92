import type { AskedExtraction, ExtractionLogEntry } from '../../runtime/product.ts';
import { resolve } from '../../variables/resolve.ts';
import { VariableError } from '../../variables/variable-error.ts';

/** A configuration as somebody gave it, with values for its placeholders. */
export interface ExtractionCase {
  readonly configuration: object;
  /** Undefined: none are given, and only placeholders of the vault are replaced. */
  readonly values: ReadonlyMap<string, string> | undefined;
  readonly vault: ReadonlyMap<string, string> | undefined;
}

/** The configuration that the extractor gets; what was done to it is told. The text of what is wrong otherwise. */
export function preparedCase(
  { configuration, values, vault = new Map() }: ExtractionCase,
  tell: (entry: ExtractionLogEntry) => void,
): Pick<AskedExtraction, 'configuration'> | { readonly wrong: string } {
  const { variables_id: id }: { readonly variables_id?: unknown } = configuration;
  const isAsked = id !== undefined && id !== null && id !== '';
  if (values === undefined && isAsked)
    return {
      wrong: `No variable values provided for variables configuration "${typeof id === 'string' ? id : JSON.stringify(id)}".`,
    };
  try {
    const chosen = values === undefined ? undefined : { values, note: 'Replacing variables using inline values.' };
    const resolved = resolve({ configuration, chosen, vault });
    for (const message of resolved.notes) tell({ level: 'info', message });
    return { configuration: resolved.configuration };
  } catch (thrown) {
    if (thrown instanceof VariableError) return { wrong: thrown.message };
    throw thrown;
  }
}
