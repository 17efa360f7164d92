/**
 * `after` with what `before` has besides it, at every depth: for a part that is made anew and stands for the same thing. Lists are those
 * of `after`.
 */
export function merged<Part extends object>(before: object | undefined, after: Part): Part {
  const kept: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const known = kept[key];
    kept[key] = isPart(known) && isPart(value) ? merged(known, value) : value;
  }
  return kept as Part;
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
