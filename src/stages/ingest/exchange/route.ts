/** What a path names. `secret` is undefined where it comes in the Authorization header. */
export type Route =
  | { readonly kind: 'source'; readonly project: string; readonly source: string; readonly secret: string | undefined }
  | { readonly kind: 'invalidEncoding' }
  | { readonly kind: 'unknown' };

/** Reads a path `/{room}/{projectId}/{sourceId}`, with or without `/{secret}`. */
export function parseRoute(path: string, room: string): Route {
  const [before, first, project = '', source = '', secret, ...rest] = path.split('/', 7);
  if (before !== '' || first !== room || project === '' || source === '') return { kind: 'unknown' };
  if (rest.length > 0 || secret === '') return { kind: 'unknown' };
  try {
    return {
      kind: 'source',
      project: decodeURIComponent(project),
      source: decodeURIComponent(source),
      secret: secret === undefined ? undefined : decodeURIComponent(secret),
    };
  } catch {
    return { kind: 'invalidEncoding' };
  }
}
