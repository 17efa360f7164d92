const mostTries = 3000;

/** A shorter trace with smaller numbers that still breaks: deletes chunks, then lowers numbers, as long as that helps. */
export function shrinkTrace(
  trace: readonly number[],
  breaks: (trace: readonly number[]) => boolean,
): readonly number[] {
  let tries = mostTries;
  const holds = (candidate: readonly number[]): boolean => {
    tries -= 1;
    return tries >= 0 && breaks(candidate);
  };
  let best = trace;
  let before: readonly number[];
  do {
    before = best;
    for (let size = Math.ceil(best.length / 2); size > 0; size = Math.floor(size / 2))
      best = withoutChunks(best, size, holds);
    best = withLowerNumbers(best, holds);
  } while (before !== best);
  return best;
}

function withoutChunks(
  trace: readonly number[],
  size: number,
  holds: (candidate: readonly number[]) => boolean,
): readonly number[] {
  let best = trace;
  for (let at = 0; at < best.length;) {
    const candidate = [...best.slice(0, at), ...best.slice(at + size)];
    if (holds(candidate)) best = candidate;
    else at += size;
  }
  return best;
}

function withLowerNumbers(
  trace: readonly number[],
  holds: (candidate: readonly number[]) => boolean,
): readonly number[] {
  let best = trace;
  for (const [index, value] of trace.entries()) {
    for (const lower of new Set([0, value >> 1, value - 1])) {
      if (lower < 0 || lower >= value) continue;
      const candidate = best.with(index, lower);
      if (!holds(candidate)) continue;
      best = candidate;
      break;
    }
  }
  return best;
}
