import { nearestOf } from '../core/nearest-of.ts';
import { MillraceError } from '../core/millrace-error.ts';

/** What there is of settings: their keys, and the command that lists them. */
export interface KnownSettings {
  readonly settings: () => Promise<readonly { readonly key: string }[]>;
  readonly list: string;
}

/** The refusal of a change of settings; where a key is not known with the one that was probably meant, and what lists all. */
export async function withNearestKeys(
  thrown: unknown,
  changes: readonly { readonly key: string }[],
  { settings: known, list }: KnownSettings,
): Promise<unknown> {
  if (!(thrown instanceof MillraceError) || thrown.code !== 'client.refused') return thrown;
  const keys = await known().then(
    (settings) => settings.map(({ key }) => key),
    (): readonly string[] => [],
  );
  const unknown = keys.length === 0 ? [] : changes.filter(({ key }) => !keys.includes(key));
  if (unknown.length === 0) return thrown;
  const advice = unknown.flatMap(({ key }) => {
    const nearest = nearestKey(key, keys);
    return nearest === undefined ? [] : [` Did you mean "${nearest}"?`];
  });
  advice.push(` "${list}" lists the settings.`);
  const { code, message, details } = thrown;
  return new MillraceError(code, `${message}${advice.join('')}`, { cause: thrown, details });
}

/** Keys are long: the end of one is enough when no other one ends so. */
function nearestKey(key: string, keys: readonly string[]): string | undefined {
  const ends = keys.filter((one) => one.toLowerCase().endsWith(`.${key.toLowerCase()}`));
  return ends.length === 1 ? ends[0] : nearestOf(key, keys);
}
