const lanes = 8;

/**
 * Does the work for each of the items, some at a time. The first failure ends it, once what is under way has ended: nothing goes on
 * behind the back of the caller.
 */
export async function inLanes<Item>(items: AsyncIterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const given = items[Symbol.asyncIterator]();
  const failed = new AbortController();
  const lane = async (): Promise<void> => {
    try {
      for (let next = await given.next(); next.done !== true; next = await given.next()) {
        if (failed.signal.aborted) return;
        await work(next.value);
      }
    } catch (thrown) {
      failed.abort();
      throw thrown;
    }
  };
  for (const ended of await Promise.allSettled(Array.from({ length: lanes }, lane)))
    if (ended.status === 'rejected') throw ended.reason;
}
