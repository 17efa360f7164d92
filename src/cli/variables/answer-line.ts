import { MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { configurationText } from '../../variables/configuration-text.ts';
import { render } from '../../variables/render.ts';
import { parseGivenValues } from '../../variables/values.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';

interface Asked {
  /** As JSON text. */
  readonly id: string;
  readonly configuration: object;
  readonly values: unknown;
  readonly vault: unknown;
}

/**
 * Answers one line `{"id", "configuration", "values", "vault"}` with `{"id", "result"}` or `{"id", "error"}`, the text that says why not.
 * Never throws, so that each line has its answer.
 */
export function answerLine(line: string): string {
  let id = 'null';
  try {
    const asked = parseRequest(line);
    id = asked.id;
    return answer(id, 'result', configurationText(resultOf(asked)));
  } catch (thrown) {
    return answer(id, 'error', JSON.stringify(MillraceError.fromUnknown(thrown).message));
  }
}

function resultOf({ configuration, values, vault }: Asked): unknown {
  return render({ configuration, values: optional(values), vault: optional(vault) }).configuration;
}

function optional(given: unknown): ReadonlyMap<string, string> | undefined {
  return given === undefined || given === null ? undefined : parseGivenValues(given);
}

function parseRequest(line: string): Asked {
  const asked = parsed(line);
  const { id = null, configuration, values, vault }: Readonly<Partial<Record<keyof Asked, unknown>>> = asked ?? {};
  if (
    asked === undefined ||
    typeof configuration !== 'object' ||
    configuration === null ||
    Array.isArray(configuration)
  )
    throw new MillraceError(
      'input.invalid',
      'the line must be {"id", "configuration", "values", "vault"} with an object as configuration',
    );
  return { id: configurationText(id), configuration, values, vault };
}

function parsed(line: string): object | undefined {
  try {
    const value = parseExactJsonText(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Without what some readers take for the end of a line. */
function answer(id: string, key: 'result' | 'error', text: string): string {
  return withoutHiddenText(`{"id":${id},"${key}":${text}}`);
}
