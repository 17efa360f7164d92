type Disposer = () => unknown;

/** What Node 22 does not have: the language's own stack of what is to be closed, as this product uses it. */
class DisposableStack implements AsyncDisposableStack {
  readonly [Symbol.toStringTag] = 'AsyncDisposableStack';
  #disposers: Disposer[] | undefined = [];

  get disposed(): boolean {
    return this.#disposers === undefined;
  }

  use<Value extends AsyncDisposable | Disposable | null | undefined>(value: Value): Value {
    if (value === null || value === undefined) return value;
    this.defer(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()));
    return value;
  }

  adopt<Value>(value: Value, dispose: (value: Value) => unknown): Value {
    this.defer(() => dispose(value));
    return value;
  }

  defer(dispose: Disposer): void {
    this.#open().push(dispose);
  }

  move(): AsyncDisposableStack {
    const moved = new DisposableStack();
    moved.#disposers = this.#open();
    this.#disposers = undefined;
    return moved;
  }

  /** In reverse, each once the one before has ended, all of them even when some fail. */
  async disposeAsync(): Promise<void> {
    const disposers = this.#disposers ?? [];
    this.#disposers = undefined;
    const failures: unknown[] = [];
    for (const dispose of disposers.toReversed()) {
      try {
        await dispose();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several things could not be closed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }

  #open(): Disposer[] {
    if (this.#disposers === undefined) throw new ReferenceError('the stack is disposed already');
    return this.#disposers;
  }
}

/** Gives an older Node the class of the language; where there is one, nothing happens. */
export function provideDisposableStack(holder: { AsyncDisposableStack?: unknown } = globalThis): void {
  holder.AsyncDisposableStack ??= DisposableStack;
}
