import { parseExactJsonText } from '../core/parse-json-text.ts';
import { checkInsertions } from './check-insertions.ts';
import { configurationText } from './configuration-text.ts';
import { fillValues } from './fill-values.ts';
import type { FilledText } from './filled-text.ts';
import { fillVault, vaultNames } from './fill-vault.ts';
import { invalidConfiguration, VariableError } from './variable-error.ts';
import { whyInvalid } from './why-invalid.ts';

export interface RenderRequest {
  /** As `parseExactJsonText` gives it: whole numbers beyond 2^53 as bigint keep their digits. */
  readonly configuration: unknown;
  /** Name ▸ value. Absent without `variables_id`: then only placeholders of the vault are replaced. */
  readonly values?: ReadonlyMap<string, string> | undefined;
  /** Name, without `vault.`, ▸ value. */
  readonly vault?: ReadonlyMap<string, string> | undefined;
}

export interface Rendered {
  /** The one of the request, the same object, when there was nothing to do; else a new one, its empty objects as empty arrays. */
  readonly configuration: unknown;
  /** For the log: what was replaced, each once, those of the vault first. */
  readonly replaced: readonly string[];
  /** For `result.variables` of the job: nothing of the vault. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

const none: ReadonlyMap<string, string> = new Map();

/**
 * Replaces the placeholders of a configuration, keys included: those of the vault, then the others, in the text that PHP makes of it, as
 * the reference does. Throws `VariableError` and nothing else. A value stays inside the text in which its placeholder stands: it never
 * becomes a field, another value or code.
 */
export function render({ configuration, values, vault = none }: RenderRequest): Rendered {
  const first = fillVault(templateOf(configuration), vault);
  if (values === undefined) {
    refuseMissing(first.missing);
    if (first.replaced.size === 0) return { configuration, replaced: [], variables: [] };
    return { configuration: read(first.filled), replaced: [...first.replaced], variables: [] };
  }
  checkInsertions(first.filled.toString(), first.filled.insertions);
  const second = fillValues(first.filled.toString(), values, first.filled.insertions);
  return {
    configuration: read(second.filled, () => refuseMissing([...first.missing, ...second.missing])),
    replaced: [...first.replaced, ...second.replaced.keys()],
    variables: Array.from(second.replaced, ([name, value]) => ({ name, value })),
  };
}

/** Names of the values of the vault that rendering a configuration needs, so that nobody reads a vault for nothing. */
export function neededOfVault(configuration: unknown): ReadonlySet<string> {
  return vaultNames(templateOf(configuration));
}

/** An empty object is an array to PHP, and slashes are escaped: outside of strings a JSON text has none. */
function templateOf(configuration: unknown): string {
  return configurationText(configuration, '[]').replaceAll('/', '\\/');
}

/** `check` runs when the text is JSON, before values are held to their places. */
function read(filled: FilledText, check?: () => void): unknown {
  const text = filled.toString();
  const configuration = parsed(text);
  check?.();
  checkInsertions(text, filled.insertions);
  return configuration;
}

function parsed(text: string): unknown {
  try {
    return parseExactJsonText(text);
  } catch {
    throw invalidConfiguration(whyInvalid(text));
  }
}

function refuseMissing(names: Iterable<string>): void {
  const missing = [...names];
  if (missing.length > 0) throw new VariableError(`Missing values for placeholders: ${missing.join(', ')}`);
}
