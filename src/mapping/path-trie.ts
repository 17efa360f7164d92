import { Buffer } from 'node:buffer';
import type { PathStep } from './path.ts';

/** One step shared by all paths that begin alike. `visited` belongs to the scanner that walks the trie. */
export interface PathNode {
  readonly parent: PathNode | undefined;
  readonly key: Buffer;
  /** The index that the key is when the value is an array, -1 when it is none. */
  readonly index: number;
  /** Position of the value of this node in a scan, -1 when no path ends here. */
  slot: number;
  /** How often the path that ends here was added. */
  uses: number;
  children: number;
  /** The same node when paths go on below it, else undefined. */
  inner: PathNode | undefined;
  /** The last scan that met this node: of duplicate keys the first one wins. */
  visited: number;
  /** Another child of the same parent in the same bucket. */
  sibling: PathNode | undefined;
  /** Children by `keyBucket`, so that nearly every key that no path wants is passed by without a comparison. */
  readonly buckets: (PathNode | undefined)[];
  /** Children by the bytes of their key as Latin-1 text, once there are too many to walk through a bucket. */
  byText: Map<string, PathNode> | undefined;
  /** Children that are an index when the value is an array. */
  readonly elements: Map<number, PathNode>;
}

const bucketCount = 64;
const mostInBuckets = 256;

/** The bucket of a key of `length` bytes; `first` and `last` are its outer bytes, 0 for the empty key. */
export function keyBucket(length: number, first: number, last: number): number {
  return (length * 7 + first * 3 + last) & (bucketCount - 1);
}

/**
 * All paths that the mappings of one source want, merged by their common beginnings, so that one pass over a body
 * finds them all. In JSON bodies an index and a key of the same text are the same step.
 */
export class PathTrie {
  readonly root: PathNode = createNode('', undefined);
  readonly #freeSlots: number[] = [];
  #slots = 0;
  #version = 0;

  /** Another number after each change of what a slot means. */
  get version(): number {
    return this.#version;
  }

  /** The node of a path, the same for equal paths; its slot stays until as many `remove` were called. */
  add(steps: readonly PathStep[]): PathNode {
    let node = this.root;
    for (const step of steps) node = childOf(node, step.text);
    if (node.uses++ === 0) {
      node.slot = this.#freeSlots.pop() ?? this.#slots++;
      this.#version++;
    }
    return node;
  }

  remove(node: PathNode): void {
    if (--node.uses > 0) return;
    this.#freeSlots.push(node.slot);
    node.slot = -1;
    this.#version++;
    for (let leaf = node; leaf.parent !== undefined && leaf.uses === 0 && leaf.children === 0; leaf = leaf.parent) {
      detach(leaf, leaf.parent);
    }
  }
}

function createNode(text: string, parent: PathNode | undefined): PathNode {
  return {
    parent,
    key: Buffer.from(text),
    index: /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : -1,
    slot: -1,
    uses: 0,
    children: 0,
    inner: undefined,
    visited: 0,
    sibling: undefined,
    buckets: Array.from({ length: bucketCount }),
    byText: undefined,
    elements: new Map(),
  };
}

function bucketOf({ key }: PathNode): number {
  return keyBucket(key.length, key[0] ?? 0, key.at(-1) ?? 0);
}

/** The child with this key. */
export function findChild({ byText, buckets }: PathNode, key: Buffer): PathNode | undefined {
  if (byText !== undefined) return byText.get(latin1(key));
  let child = buckets[keyBucket(key.length, key[0] ?? 0, key.at(-1) ?? 0)];
  while (child !== undefined && !key.equals(child.key)) child = child.sibling;
  return child;
}

function latin1(key: Buffer): string {
  return key.toString('latin1');
}

function childOf(parent: PathNode, text: string): PathNode {
  const child = createNode(text, parent);
  const known = findChild(parent, child.key);
  if (known !== undefined) return known;
  const bucket = bucketOf(child);
  child.sibling = parent.buckets[bucket];
  parent.buckets[bucket] = child;
  parent.children++;
  parent.inner = parent;
  if (parent.byText !== undefined) parent.byText.set(latin1(child.key), child);
  else if (parent.children > mostInBuckets)
    parent.byText = new Map(childrenOf(parent).map((one) => [latin1(one.key), one]));
  if (child.index >= 0) parent.elements.set(child.index, child);
  return child;
}

function childrenOf({ buckets }: PathNode): readonly PathNode[] {
  const children: PathNode[] = [];
  for (const first of buckets) for (let child = first; child !== undefined; child = child.sibling) children.push(child);
  return children;
}

function detach(child: PathNode, parent: PathNode): void {
  const bucket = bucketOf(child);
  let before = parent.buckets[bucket];
  if (before === child) parent.buckets[bucket] = child.sibling;
  while (before !== undefined && before.sibling !== child) before = before.sibling;
  if (before !== undefined) before.sibling = child.sibling;
  parent.byText?.delete(latin1(child.key));
  parent.elements.delete(child.index);
  parent.children--;
  if (parent.children === 0) parent.inner = undefined;
}
