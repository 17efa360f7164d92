/** What a path below `/stream/` is. `secret` is undefined where it comes in the Authorization header. */
export type Route =
  | { readonly kind: 'stream'; readonly project: string; readonly source: string; readonly secret: string | undefined }
  | { readonly kind: 'invalidEncoding' }
  | { readonly kind: 'unknown' };

/** Reads a path. */
export function parseRoute(path: string): Route {
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
