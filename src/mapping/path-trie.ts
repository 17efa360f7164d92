import { Buffer } from 'node:buffer';
import type { PathStep } from './path.ts';

/** One step shared by all paths that begin alike. `visited` belongs to the scanner that walks the trie. */
export interface PathNode {
  readonly key: Uint8Array;
  /** Position of the value of this node in a scan, -1 when no path ends here. */
  slot: number;
  /** The same node when paths go on below it, else undefined. */
  inner: PathNode | undefined;
  /** The last scan that met this node: of duplicate keys the first one wins. */
  visited: number;
  /** Another child of the same parent in the same bucket. */
  sibling: PathNode | undefined;
  /** Children by `keyBucket`, found without a comparison that fails most of the time. */
  readonly buckets: (PathNode | undefined)[];
  /** Children that are an index when the value is an array. */
  readonly elements: Map<number, PathNode>;
}

const bucketCount = 64;

/** The bucket of a key of `length` bytes; `first` and `last` are its outer bytes, 0 for the empty key. */
export function keyBucket(length: number, first: number, last: number): number {
  return (length * 7 + first * 3 + last) & (bucketCount - 1);
}

/**
 * All paths that the mappings of one source want, merged by their common beginnings, so that one pass over a body
 * finds them all. In JSON bodies an index and a key of the same text are the same step.
 */
export class PathTrie {
  readonly root: PathNode = createNode('');
  #slots = 0;

  /** How many different paths were added; slots are 0 … size-1. */
  get size(): number {
    return this.#slots;
  }

  /** The slot of a path, the same for equal paths. */
  add(steps: readonly PathStep[]): number {
    let node = this.root;
    for (const step of steps) node = childOf(node, step.text);
    if (node.slot < 0) node.slot = this.#slots++;
    return node.slot;
  }
}

function createNode(key: string): PathNode {
  return {
    key: Buffer.from(key),
    slot: -1,
    inner: undefined,
    visited: 0,
    sibling: undefined,
    buckets: Array.from({ length: bucketCount }),
    elements: new Map(),
  };
}

function childOf(parent: PathNode, text: string): PathNode {
  const child = createNode(text);
  const { key } = child;
  const bucket = keyBucket(key.length, key[0] ?? 0, key.at(-1) ?? 0);
  for (let other = parent.buckets[bucket]; other !== undefined; other = other.sibling) {
    if (Buffer.compare(other.key, key) === 0) return other;
  }
  child.sibling = parent.buckets[bucket];
  parent.buckets[bucket] = child;
  parent.inner = parent;
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) parent.elements.set(Number(text), child);
  return child;
}
