import type { HttpRequest } from '../../ports/http-client.ts';
import { refused } from './errors.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What may be said to an origin that nobody configured: nothing that identifies the sender. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * The request that an answer asks for instead, of any scheme; undefined when it asks for none. `http.refused` where it must not be
 * made.
 */
export function redirected(
  request: HttpRequest,
  { status, location }: { readonly status: number; readonly location: string | undefined },
): HttpRequest | undefined {
  if (location === undefined || !redirects.has(status)) return undefined;
  const from = new URL(request.url);
  const to = URL.parse(location, from.href);
  if (to === null) throw refused(`"${from.host}" redirects to what is no URL`);
  const isElsewhere = to.origin !== from.origin;
  const isKept = status === 307 || status === 308;
  if (isElsewhere && isKept && request.method !== 'GET')
    throw refused(
      `"${from.host}" redirects a ${request.method} to "${to.origin}", which may not get what was meant for another: correct the URL`,
    );
  const { method, body } = isKept ? request : { method: 'GET' as const, body: undefined };
  const headers = Object.entries(request.headers).filter(([name]) => {
    const plain = name.toLowerCase();
    return isElsewhere ? harmless.has(plain) : body !== undefined || !plain.startsWith('content-');
  });
  return {
    method,
    url: withoutUser(to),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
  };
}

/** An answer gives nobody a user and a password. */
function withoutUser(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return plain.href;
}
