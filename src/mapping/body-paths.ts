import type { JsonScan } from './json-scan.ts';
import { JsonScanner } from './json-scanner.ts';
import type { PathStep } from './path.ts';
import { PathTrie, type PathNode } from './path-trie.ts';

/** What one pass over a JSON body found, and for which paths. */
export interface BodyScan {
  readonly paths: BodyPaths;
  readonly version: number;
  readonly result: JsonScan;
}

/** An event that keeps what was found in its body. */
export interface ScannedEvent {
  readonly body: Uint8Array;
  bodyScan: BodyScan | undefined;
}

/**
 * The paths that mappings want from JSON bodies, found together in one pass over a body. Mappings compiled with the
 * same object share that pass: one object for all sinks of a source.
 */
export class BodyPaths {
  readonly #trie = new PathTrie();
  readonly #scanner = new JsonScanner(this.#trie);

  /** Wants a path from now on; the node's `slot` is its place in a scan. */
  add(steps: readonly PathStep[]): PathNode {
    return this.#trie.add(steps);
  }

  /** Takes back one `add`. */
  remove(node: PathNode): void {
    this.#trie.remove(node);
  }

  /** Where the paths are in the body of an event; the event keeps the answer until the paths change. */
  scan(event: ScannedEvent): JsonScan {
    const { version } = this.#trie;
    const known = event.bodyScan;
    if (known !== undefined && known.paths === this && known.version === version) return known.result;
    const result = this.#scanner.scan(event.body);
    event.bodyScan = { paths: this, version, result };
    return result;
  }
}
