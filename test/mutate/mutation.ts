/** A rule, broken on purpose: the named test must turn red. */
export interface Mutation {
  /** What the change breaks, as `docs/spec/delivery.md` or the code's own comment says it. */
  readonly rule: string;
  /** From the top of the repository. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly test: {
    /** From the top of the repository. */
    readonly file: string;
    /** A part of its full name. */
    readonly title: string;
  };
}
