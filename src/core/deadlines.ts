interface Entry<Each> {
  readonly each: Each;
  readonly at: number;
}

/**
 * When each of many is to be looked at, on one clock: to set one, or to take those that are due, costs by their logarithm, however many
 * wait. A binary heap; one that was set anew or taken out leaves an entry behind, which counts no more and goes when it comes to the top.
 */
export class Deadlines<Each> {
  readonly #heap: Entry<Each>[] = [];
  readonly #entries = new Map<Each, Entry<Each>>();

  get size(): number {
    return this.#entries.size;
  }

  /** The first of them; infinity when there is none. */
  get first(): number {
    this.#dropOutdated();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Sets the deadline of one, in place of the one that it had. What is no number is due at once, and keeps no other one waiting. */
  set(each: Each, time: number): void {
    const at = Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
    if (this.#entries.get(each)?.at === at) return;
    const entry = { each, at };
    this.#entries.set(each, entry);
    this.#push(entry);
    if (this.#heap.length > 2 * this.#entries.size + 16) this.#rebuild();
  }

  delete(each: Each): void {
    this.#entries.delete(each);
  }

  /** Takes out those whose deadline is `now` or past, the earliest first. */
  take(now: number): readonly Each[] {
    const due: Each[] = [];
    while (this.first <= now) {
      const entry = this.#pop();
      if (entry === undefined) break;
      this.#entries.delete(entry.each);
      due.push(entry.each);
    }
    return due;
  }

  #dropOutdated(): void {
    for (let top = this.#heap[0]; top !== undefined && this.#entries.get(top.each) !== top; top = this.#heap[0])
      this.#pop();
  }

  #rebuild(): void {
    const current = [...this.#entries.values()].toSorted((a, b) => a.at - b.at);
    this.#heap.length = 0;
    for (const entry of current) this.#heap.push(entry);
  }

  #push(entry: Entry<Each>): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.at <= entry.at) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  #pop(): Entry<Each> | undefined {
    const heap = this.#heap;
    const [top] = heap;
    const last = heap.pop();
    if (last === undefined || top === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least =
        (heap[right]?.at ?? Number.POSITIVE_INFINITY) < (heap[left]?.at ?? Number.POSITIVE_INFINITY) ? right : left;
      const child = heap[least];
      if (child === undefined || child.at >= last.at) break;
      heap[at] = child;
      at = least;
    }
    heap[at] = last;
    return top;
  }
}
