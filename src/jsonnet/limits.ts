/**
 * What one evaluation may use. Hitting one ends it with a `JsonnetError` of kind `limit` that names it. With the defaults an
 * evaluation holds less than 128 MB, whatever it keeps: what takes memory costs steps.
 */
export interface Limits {
  /** Calls, steps of comprehensions, fields and late values computed, and steps of the loops inside `std`. */
  readonly steps: number;
  /**
   * Frames on the stack: calls, fields and late values that wait for each other, and arrays and objects in each other
   * that are gone through.
   */
  readonly depth: number;
  /** Length of the result and of each string on the way, in UTF-16 units. */
  readonly textLength: number;
  /** Elements of each array on the way. */
  readonly arrayLength: number;
}

export const defaultLimits: Limits = {
  steps: 2_000_000,
  depth: 500,
  textLength: 1_048_576,
  arrayLength: 1_000_000,
};
