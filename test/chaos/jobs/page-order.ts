/** What an API saw of the runs of jobs, by the endpoint that each job has of its own. */
export interface SeenRuns {
  /** How often the first page was asked for. */
  readonly runs: number;
}

/**
 * J3: reads from the paths that an API saw, in their order, how often each endpoint was begun with. Throws when two runs of one asked for
 * pages at the same time: each page must be the next one, the one before once more, or the first.
 */
export function seenRuns(paths: readonly string[], limit: number): ReadonlyMap<string, SeenRuns> {
  const last = new Map<string, { readonly runs: number; readonly offset: number }>();
  for (const path of paths) {
    const { pathname, searchParams } = new URL(path, 'http://api/');
    const [endpoint, offset] = [pathname.slice(1), Number(searchParams.get('offset') ?? 0)];
    const before = last.get(endpoint);
    const isNext = before !== undefined && (offset === before.offset + limit || offset === before.offset);
    if (offset !== 0 && !isNext)
      throw new Error(
        `J3: two runs ask for ${endpoint} at a time: offset ${offset} comes behind ${before?.offset ?? 'nothing'}`,
      );
    const isRun = offset === 0 && !(isNext && before.offset === 0);
    last.set(endpoint, { runs: (before?.runs ?? 0) + Number(isRun), offset });
  }
  return last;
}
