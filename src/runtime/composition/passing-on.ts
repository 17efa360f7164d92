/** What stands in for `target`: with these methods of its own, everything else passed on. */
export function passingOn<Target extends object>(target: Target, own: Partial<Target>): Target {
  const bound = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get: (_, name) => {
      if (name in own) return Reflect.get(own, name);
      const known = bound.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // Private fields are those of the target alone.
      const method: unknown = value.bind(target);
      bound.set(name, method);
      return method;
    },
  });
}
