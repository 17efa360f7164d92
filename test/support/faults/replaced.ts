/** The same object with other methods in the place of some of its own. */
export function replaced<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, property) => {
      if (Object.hasOwn(methods, property)) return Reflect.get(methods, property) as unknown;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
