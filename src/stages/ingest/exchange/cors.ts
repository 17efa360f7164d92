/** Answers to browsers on other origins (Fetch, 3.2). */
export interface Cors {
  /** Headers of any answer to a request with this Origin; empty when it has none or may not read. */
  answerHeaders(origin: string | undefined): readonly string[];
  /** Headers of the answer to a preflight request. */
  preflightHeaders(origin: string | undefined, requestedHeaders: string | undefined): readonly string[];
}

/** Methods of the paths that take events. */
export const eventMethods = 'OPTIONS, POST';

const nothing: readonly string[] = [];
const anyOrigin: readonly string[] = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*'];

/** `*` among the origins allows all of them; an empty list allows none. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const answerHeaders = (origin: string | undefined): readonly string[] => {
    if (any) return origin === undefined ? nothing : anyOrigin;
    if (origin === undefined || !origins.includes(origin)) return origins.length === 0 ? nothing : ['Vary', 'Origin'];
    return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', '*', 'Vary', 'Origin'];
  };
  return {
    answerHeaders,
    preflightHeaders: (origin, requestedHeaders) => {
      const allowed = any ? anyOrigin : answerHeaders(origin);
      if (!allowed.includes('Access-Control-Allow-Origin')) return allowed;
      // `*` stands for every header but this one.
      const authorization = /\bauthorization\b/i.test(requestedHeaders ?? '') ? '*, Authorization' : '*';
      return [...allowed, 'Access-Control-Allow-Methods', eventMethods, 'Access-Control-Allow-Headers', authorization];
    },
  };
}
