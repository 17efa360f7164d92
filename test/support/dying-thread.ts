import { existsSync } from 'node:fs';
import { runThread } from '../../src/runtime/composition/thread.ts';

/**
 * What was begun gets done, on a busy machine, too: otherwise slices that are stored side by side are begun in each life, and sealed in
 * none.
 */
const laterMs = 500;

/** It has its defect for as long as this file is there. */
const ill = process.env['DYING_WHILE'] ?? '';

/** A role thread with a defect: some time after every so many calls of a method of its ports, an error is thrown where nobody catches. */
await runThread((ports) => ({
  ...ports,
  sinkLog: dying(ports.sinkLog, { method: 'append', every: 25 }),
  objects: dying(ports.objects, { method: 'put', every: 4 }),
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
        if (property === method && (calls += 1) % every === 0) setTimeout(fail, laterMs);
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

function fail(): void {
  if (!existsSync(ill)) return;
  const isHeard = process.listenerCount('uncaughtException') > 0;
  throw new Error(isHeard ? 'a defect that nobody expected' : 'a defect that ends its thread in the middle of a turn');
}
