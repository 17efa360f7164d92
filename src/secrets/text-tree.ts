/** So many characters are looked up at once. */
const width = 24;
/** More texts that begin alike are told apart by the next characters. */
const mostInOne = 8;

/** Texts, and which of them stands at a place of another text: however many they are, and however long they are alike. */
export class TextTree {
  /** Characters before the place of this node: those that led to it. */
  readonly #depth: number;
  #texts: string[] = [];
  #further: Map<string, TextTree> | undefined;
  /** Of those that end before more characters could be looked up: by how many are left. */
  readonly #ends = new Map<number, Set<string>>();

  constructor(depth = 0) {
    this.#depth = depth;
  }

  add(text: string): void {
    if (this.#further !== undefined) {
      this.#addFurther(text, this.#further);
      return;
    }
    this.#texts.push(text);
    if (this.#texts.length <= mostInOne) return;
    const [texts, further] = [this.#texts, new Map<string, TextTree>()];
    this.#texts = [];
    this.#further = further;
    for (const one of texts) this.#addFurther(one, further);
  }

  /** How long the longest of the texts is that stands at that place; 0 for none. */
  longestAt(text: string, at: number): number {
    const from = at + this.#depth;
    const deeper = this.#further?.get(text.slice(from, from + width))?.longestAt(text, at) ?? 0;
    if (deeper > 0) return deeper;
    let longest = 0;
    for (const one of this.#texts) if (one.length > longest && text.startsWith(one, at)) longest = one.length;
    for (const [left, ends] of this.#ends)
      if (this.#depth + left > longest && ends.has(text.slice(from, from + left))) longest = this.#depth + left;
    return longest;
  }

  #addFurther(text: string, further: Map<string, TextTree>): void {
    const rest = text.slice(this.#depth, this.#depth + width);
    if (text.length <= this.#depth + width) {
      const ends = this.#ends.get(rest.length) ?? new Set<string>();
      this.#ends.set(rest.length, ends.add(rest));
      return;
    }
    const next = further.get(rest) ?? new TextTree(this.#depth + width);
    further.set(rest, next);
    next.add(text);
  }
}
