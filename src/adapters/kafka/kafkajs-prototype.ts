import { createRequire } from 'node:module';

/** The prototype of a class inside kafkajs that has this method; undefined in a release that has it elsewhere. */
export function kafkajsPrototype(module: string, method: string): object | undefined {
  try {
    const loaded: unknown = createRequire(import.meta.url)(`kafkajs/src/${module}`);
    if (typeof loaded !== 'function') return undefined;
    const prototype: unknown = Reflect.get(loaded, 'prototype');
    return typeof prototype === 'object' && prototype !== null && method in prototype ? prototype : undefined;
  } catch {
    return undefined;
  }
}
