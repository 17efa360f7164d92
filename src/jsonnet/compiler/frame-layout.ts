/** How many entries a frame has; known when all that lives in it is compiled. Entry 0 is the frame around it. */
export class FrameLayout {
  readonly parent: FrameLayout | undefined;
  /** Whether a call that leaves its work to the function around it was compiled in this frame. */
  hasTailCalls = false;
  #size = 1;

  constructor(parent: FrameLayout | undefined) {
    this.parent = parent;
  }

  get size(): number {
    return this.#size;
  }

  /** A slot of its own for one more variable. */
  add(): number {
    return this.#size++;
  }

  /** How many frames up from this one another is. */
  distanceTo(outer: FrameLayout): number {
    let distance = 0;
    let parent = outer === this ? undefined : this.parent;
    for (; parent !== undefined && parent !== outer; parent = parent.parent) distance++;
    return outer === this ? 0 : distance + 1;
  }
}
