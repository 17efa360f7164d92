import { originForm } from '../../../listener/origin-form.ts';

/** What a path of the ingest listener is. `secret` is undefined where it comes in the Authorization header. */
export type Route =
  | { readonly kind: 'stream'; readonly project: string; readonly source: string; readonly secret: string | undefined }
  | { readonly kind: 'otlp' }
  | { readonly kind: 'healthCheck' }
  | { readonly kind: 'invalidEncoding' }
  | { readonly kind: 'unknown' };

/** Reads a request target without its query; the absolute form (`http://host/path`) counts as its path. */
export function parseRoute(target: string): Route {
  const path = originForm(target);
  if (path === '/health-check') return { kind: 'healthCheck' };
  if (path.startsWith('/otlp/')) return { kind: 'otlp' };
  const [before, room, project = '', source = '', secret, ...rest] = path.split('/', 7);
  if (before !== '' || room !== 'stream' || project === '' || source === '') return { kind: 'unknown' };
  if (rest.length > 0 || secret === '') return { kind: 'unknown' };
  try {
    return {
      kind: 'stream',
      project: decodeURIComponent(project),
      source: decodeURIComponent(source),
      secret: secret === undefined ? undefined : decodeURIComponent(secret),
    };
  } catch {
    return { kind: 'invalidEncoding' };
  }
}
