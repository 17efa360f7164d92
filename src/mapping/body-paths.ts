import { JsonScanner, type JsonFault } from './json-scanner.ts';
import type { MappedEvent } from './mapped-event.ts';
import type { PathStep } from './path.ts';
import { PathTrie } from './path-trie.ts';

/**
 * The paths that the mappings of one source want from JSON bodies, found together in one pass over a body. Mappings
 * that are compiled with the same object share that pass, as long as one event is mapped for all of them before the
 * next event.
 */
export class BodyPaths {
  readonly #trie = new PathTrie();
  readonly scanner = new JsonScanner(this.#trie);
  #scanned: MappedEvent | undefined;
  #scannedSize = 0;
  #fault: JsonFault | undefined;

  /** The slot of a path in `scanner`, the same for equal paths. */
  add(steps: readonly PathStep[]): number {
    return this.#trie.add(steps);
  }

  /** Makes `scanner` hold the body of this event; a fault means that the body is not JSON. */
  scan(event: MappedEvent): JsonFault | undefined {
    if (this.#scanned !== event || this.#scannedSize !== this.#trie.size) {
      this.#scanned = undefined;
      this.#fault = this.scanner.scan(event.body);
      this.#scanned = event;
      this.#scannedSize = this.#trie.size;
    }
    return this.#fault;
  }
}
