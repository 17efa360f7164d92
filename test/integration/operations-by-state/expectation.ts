/**
 * What an operation answers in a state, as the page shows it: a status with the error's name, or `task` for one that is
 * accepted and succeeds, or `task fails`; then, behind an arrow, the state that it leaves. Without an arrow nothing has
 * changed, the version neither.
 */
export type Expectation = string;

/** An operation on one object, and what happens in each state. */
export interface Operation<State extends string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind the path of the object; `..` is the collection that the object belongs to. */
  readonly path: string;
  /** What the body holds, where that matters. */
  readonly note?: string;
  readonly body?: (id: string) => object;
  readonly expected: Readonly<Record<State, Expectation>>;
}
