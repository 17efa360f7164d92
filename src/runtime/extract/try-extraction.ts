import type { HttpClient, HttpRequest, OpenHttpClient } from '../../ports/http-client.ts';
import { runExtraction } from '../../extractor/run-extraction.ts';
import type { JsonValue } from '../../extractor/values/json-value.ts';
import { exactText } from '../../extractor/tables/exact-text.ts';
import type { AskedExtraction, TrialEnd, TrialRequest } from '../product.ts';
import { ended } from './extract.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { jsonOf, openRun } from './open-run.ts';
import { SpoolFolder } from './spool-folder.ts';

/** What `Product.tryExtraction` promises. */
export async function tryExtraction(asked: AskedExtraction, signal: AbortSignal): Promise<TrialEnd> {
  const hide = hiddenTexts(jsonOf(asked.configuration));
  const enough = new AbortController();
  const requests: TrialRequest[] = [];
  let items: readonly JsonValue[] | undefined;
  let next: TrialRequest | undefined;
  const send = async (http: HttpClient, request: HttpRequest, waiting: { readonly signal: AbortSignal }) => {
    const shown = shownRequest(request, hide);
    if (items === undefined) {
      requests.push(shown);
      return http.send(request, waiting);
    }
    next = shown;
    enough.abort(new Error('the first page is all that is asked for'));
    throw enough.signal.reason;
  };
  const found = () => ({
    kind: 'done' as const,
    requests,
    items: (items ?? []).map((item) => hide(exactText(item))),
    ...(next === undefined ? {} : { next }),
  });
  return ended(asked, signal, async () => {
    await using spool = new SpoolFolder();
    const run = openRun(asked, spool);
    const openHttp: OpenHttpClient = (settings) => {
      const http = run.openHttp(settings);
      return {
        send: (request, waiting) => send(http, request, waiting),
        [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
      };
    };
    const onProgress = (_: unknown, page: readonly JsonValue[]): void => {
      items ??= page;
    };
    const waiting = { signal: AbortSignal.any([signal, enough.signal]) };
    try {
      await runExtraction({ ...run, openHttp, onProgress }, waiting);
    } catch (thrown) {
      if (!enough.signal.aborted) throw thrown;
    }
    return found();
  });
}

/** Values of headers are not shown, but of those that say what is sent and asked for. */
function shownRequest({ method, url, headers, body }: HttpRequest, hide: (text: string) => string): TrialRequest {
  const isPlain = (name: string) => /^(accept|content-type)$/i.test(name);
  return {
    line: `${method} ${hide(url)}`,
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${isPlain(name) ? hide(value) : '…'}`),
    ...(body === undefined ? {} : { body: hide(body) }),
  };
}
