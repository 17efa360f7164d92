import { shortened } from '../shortened.ts';
import { findSetting, isOffered, settingCatalogue } from './setting-catalogue.ts';
import type { Setting, SettingLevel, SettingValue } from './setting.ts';
import { parseSettingValue } from './setting-value.ts';

/** One element of `settings` in a PATCH. */
export interface SettingEntry {
  readonly key: string;
  readonly value: unknown;
}

/** Why a patch is refused; `protected` answers 403, everything else 400. `message` has no final dot. */
interface SettingProblem {
  readonly kind: 'duplicate' | 'unknown' | 'level' | 'protected' | 'invalid';
  readonly keys: readonly string[];
  readonly message: string;
}

export interface SettingsPatch {
  /** By key, in canonical text; null removes the override. Holds only what is valid. */
  readonly overrides: Readonly<Record<string, SettingValue | null>>;
  /** Empty when the patch may be applied. */
  readonly problems: readonly SettingProblem[];
}

/**
 * Checks the entries of a PATCH on a source or a sink. Problems come in a fixed order: duplicates, unknown keys, keys of
 * the other level, values in the order of the catalogue, protected keys.
 */
export function parseSettingsPatch(entries: readonly SettingEntry[], level: SettingLevel): SettingsPatch {
  const values = new Map(entries.map(({ key, value }) => [key, value]));
  const overrides: Record<string, SettingValue | null> = {};
  const invalid: SettingProblem[] = [];
  const given = settingCatalogue.filter(({ key }) => values.has(key));
  for (const setting of given.filter((one) => isOffered(one, level) && !one.protected)) {
    const { key } = setting;
    const value = values.get(key);
    const parsed = value === null ? { kind: 'value' as const, value } : parseSettingValue(setting, value);
    if (parsed.kind === 'value') overrides[key] = parsed.value;
    else invalid.push({ kind: 'invalid', keys: [key], message: parsed.message });
  }
  const problems = [
    ...duplicates(entries),
    ...unknown(values),
    ...otherLevel(given.filter((setting) => !isOffered(setting, level))),
    ...invalid,
    ...closed(given.filter((setting) => setting.protected)),
  ];
  return { overrides, problems };
}

function duplicates(entries: readonly SettingEntry[]): readonly SettingProblem[] {
  const counts = new Map<string, number>();
  for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([key]) => ({
      kind: 'duplicate',
      keys: [key],
      message: `key "${shortened(key, 100)}" is defined multiple times`,
    }));
}

function unknown(values: ReadonlyMap<string, unknown>): readonly SettingProblem[] {
  const keys = [...values.keys()].filter((key) => findSetting(key) === undefined);
  return keys.length === 0 ? [] : [{ kind: 'unknown', keys, message: `key not found: ${shortened(quoted(keys), 50)}` }];
}

function otherLevel(settings: readonly Setting[]): readonly SettingProblem[] {
  return settings.map(({ key }) => ({
    kind: 'level',
    keys: [key],
    message: `"${key}" is a setting of the source and cannot be given on a sink`,
  }));
}

function closed(settings: readonly Setting[]): readonly SettingProblem[] {
  const keys = settings.map(({ key }) => key);
  return keys.length === 0
    ? []
    : [{ kind: 'protected', keys, message: `Cannot modify protected keys: ${quoted(keys)}` }];
}

function quoted(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(', ');
}
