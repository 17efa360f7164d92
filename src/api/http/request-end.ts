import type { ServerResponse } from 'node:http';

/**
 * Aborted when the response is closed, or with a `TimeoutError` when it took too long. Unlike `AbortSignal.timeout` it
 * leaves nothing behind: its timer ends with the response.
 */
export function requestEnd(response: ServerResponse, timeoutMs: number | undefined): AbortSignal {
  const end = new AbortController();
  const late = (): void => end.abort(new DOMException('the request took too long', 'TimeoutError'));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs).unref();
  response.once('close', () => {
    clearTimeout(timer);
    end.abort();
  });
  return end.signal;
}
