/** A time without samples: none of its minutes or hours has one. */
export interface Gap {
  /** Milliseconds since the epoch; the first moment of the first step without a sample. */
  readonly from: number;
  /** The first moment behind the last such step. */
  readonly to: number;
}

/**
 * Where samples are missing in [from, to): steps that have ended and have none. One that has only begun may still get its sample.
 */
export function gapsIn(
  taken: readonly number[],
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): readonly Gap[] {
  const gaps: Gap[] = [];
  let open = Math.ceil(from / stepMs);
  const end = Math.floor(to / stepMs);
  const add = (until: number): void => {
    if (until > open) gaps.push({ from: open * stepMs, to: until * stepMs });
  };
  for (const at of taken) {
    const step = Math.floor(at / stepMs);
    add(Math.min(step, end));
    open = Math.max(open, step + 1);
  }
  add(end);
  return gaps;
}
