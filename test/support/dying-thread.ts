import { runThread } from '../../src/runtime/composition/thread.ts';

/** A role thread with a defect: every so many calls of a method of its ports, an error is thrown where nobody catches. */
await runThread((ports) => ({
  ...ports,
  sinkLog: dying(ports.sinkLog, { method: 'append', every: 25 }),
  objects: dying(ports.objects, { method: 'put', every: 8 }),
}));

function dying<Port extends object>(
  port: Port,
  { method, every }: { readonly method: string & keyof Port; readonly every: number },
): Port {
  let calls = 0;
  return new Proxy(port, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        if (property === method && (calls += 1) % every === 0) setImmediate(fail);
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

function fail(): never {
  throw new Error('a defect that nobody expected');
}
