/** A copy of an object whose method `name` is `replacement`; everything else goes to the original. */
export function withMethod<T extends object, Name extends keyof T>(target: T, name: Name, replacement: T[Name]): T {
  return new Proxy(target, {
    get: (original, property) => {
      if (property === name) return replacement;
      const value: unknown = Reflect.get(original, property, original);
      return typeof value === 'function' ? (value.bind(original) as unknown) : value;
    },
  });
}
