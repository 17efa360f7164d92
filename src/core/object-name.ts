import { parseIncarnation, type Incarnation } from './ids.ts';
import type { Partition } from './offset.ts';

/**
 * Name of a staged object: `<incarnation>/<partition>/<stamp>-<unique>.<part>.csv`. `stamp` is when the name was made,
 * milliseconds since the epoch: clean-up removes unnamed objects whose stamp lies below the floor of the document.
 */
export interface ObjectName {
  readonly incarnation: Incarnation;
  readonly partition: Partition;
  readonly stamp: number;
  /** Letters and digits that make the name unique, even if others write at the same moment. */
  readonly unique: string;
  readonly part: 'rows' | 'dead' | 'letters';
}

export function objectName(name: ObjectName): string {
  return `${name.incarnation}/${name.partition}/${name.stamp}-${name.unique}.${name.part}.csv`;
}

/** The inverse of `objectName`; undefined for an object that is not ours. */
export function parseObjectName(text: string): ObjectName | undefined {
  const match = /^([1-9]\d*)\/(0|[1-9]\d*)\/(0|[1-9]\d*)-([a-zA-Z0-9]+)\.(rows|dead|letters)\.csv$/.exec(text);
  if (match === null) return undefined;
  const [, , , , unique = '', part = ''] = match;
  const [incarnation = 0, partition = 0, stamp = 0] = match.slice(1, 4).map(Number);
  if (![incarnation, partition, stamp].every(Number.isSafeInteger)) return undefined;
  return {
    incarnation: parseIncarnation(incarnation),
    partition,
    stamp,
    unique,
    part: part === 'dead' || part === 'letters' ? part : 'rows',
  };
}
