import type { SourceType } from '../../../core/source.ts';
import { bearerToken } from '../../../events/bearer-token.ts';
import { refusal, type Refusal } from '../../../events/refusal.ts';
import type { SourceDirectory } from '../accept/source-directory.ts';
import { Targets, type Target } from '../accept/targets.ts';
import type { Head } from './face.ts';
import { parseRoute, type Route } from './route.ts';

/** Finds the sources of one type that a request names by its path, with the secret in it or in the Authorization header. */
export class TargetFinder {
  readonly #targets: Targets;
  readonly #room: string;

  /** `room`: the first step of all paths. */
  constructor(sources: SourceDirectory, type: SourceType, room: string) {
    this.#targets = new Targets(sources, type);
    this.#room = room;
  }

  /** Whether a path names a source; a refusal where it cannot be read. */
  owns(path: string): boolean | Refusal {
    const { kind } = parseRoute(path, this.#room);
    return kind === 'invalidEncoding' ? invalidPath : kind === 'source';
  }

  /** Undefined where the path names none. */
  find(path: string, { authorization, now }: Pick<Head, 'authorization' | 'now'>): Target | Refusal | undefined {
    const known = this.#targets.recall(path, now);
    if (known !== undefined) return known;
    // A blank stands in no path, so the two keys are never taken for one another.
    const key = authorization === undefined ? path : `${path} ${authorization}`;
    const knownByHeader = authorization === undefined ? undefined : this.#targets.recall(key, now);
    if (knownByHeader !== undefined) return knownByHeader;
    const route = parseRoute(path, this.#room);
    switch (route.kind) {
      case 'source': {
        const secret = route.secret ?? bearerToken(authorization);
        return this.#lookUp(route, { secret, now }, route.secret === undefined ? key : path);
      }
      case 'invalidEncoding':
        return invalidPath;
      case 'unknown':
        return undefined;
      default:
        return route satisfies never;
    }
  }

  #lookUp(
    { project, source }: Extract<Route, { readonly kind: 'source' }>,
    by: { readonly secret: string | undefined; readonly now: number },
    key: string,
  ): Target | Refusal {
    if (!/^[0-9]{1,15}$/.test(project)) return invalidProjectId(project);
    return this.#targets.find({ projectId: Number(project), sourceId: source, ...by }, key);
  }
}

const invalidPath = refusal(
  'invalid',
  'badRequest',
  'The path holds a "%" that does not begin a valid percent-encoding of UTF-8.',
);

function invalidProjectId(text: string): Refusal {
  const message = `Invalid project ID "${text.slice(0, 50)}": must be an integer of up to 15 digits.`;
  return refusal('invalid', 'badRequest', message);
}
