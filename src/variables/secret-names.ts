const placeholder = /\{\{[{&]?([^{}]+)\}\}/g;

/**
 * Names of the placeholders in texts whose keys begin with `#`, and in elements of lists there: the values of these are secret, wherever
 * else they are put. Shared code must be put in before.
 */
export function secretNames(configuration: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  collect(configuration, false, names);
  return names;
}

function collect(value: unknown, isSecret: boolean, names: Set<string>): void {
  if (typeof value === 'string' && isSecret)
    for (const [, name = ''] of value.matchAll(placeholder)) names.add(name.trim());
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const one of value) collect(one, isSecret, names);
  else for (const [key, one] of Object.entries(value)) collect(one, key.startsWith('#'), names);
}
