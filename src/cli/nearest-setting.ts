import { nearestOf } from '../config/unknown-name.ts';
import { MillraceError } from '../core/millrace-error.ts';

/** The refusal of a change of settings, with the keys that were probably meant where one is not known. */
export async function withNearestKeys(
  thrown: unknown,
  changes: readonly { readonly key: string }[],
  known: () => Promise<readonly { readonly key: string }[]>,
): Promise<unknown> {
  if (!(thrown instanceof MillraceError) || thrown.code !== 'client.refused') return thrown;
  const keys = await known().then(
    (settings) => settings.map(({ key }) => key),
    (): readonly string[] => [],
  );
  const advice = changes.flatMap(({ key }) => {
    const nearest = keys.length === 0 || keys.includes(key) ? undefined : nearestKey(key, keys);
    return nearest === undefined ? [] : [` Did you mean "${nearest}"?`];
  });
  const { code, message, details } = thrown;
  return new MillraceError(code, `${message}${advice.join('')}`, { cause: thrown, details });
}

/** Keys are long: the end of one is enough when no other one ends so. */
function nearestKey(key: string, keys: readonly string[]): string | undefined {
  const ends = keys.filter((one) => one.toLowerCase().endsWith(`.${key.toLowerCase()}`));
  return ends.length === 1 ? ends[0] : nearestOf(key, keys);
}
