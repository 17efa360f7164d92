import type { Acceptor } from '../accept/acceptor.ts';
import { bearerToken } from '../../../events/bearer-token.ts';
import { refusal, type Refusal } from '../../../events/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import { Targets, type Target } from '../accept/targets.ts';
import type { WriteResult } from '../accept/write.ts';
import type { Answer, Decoded, Face, Head, Reading } from '../exchange/face.ts';
import type { ReceivedRequest } from '../../../events/read-request.ts';
import { hasFailed, longAnswer, shortAnswer } from './answer.ts';
import { decode } from './decode.ts';
import { emptyQuery, parseQuery, type Query } from './query.ts';
import { parseRoute, type Route } from './route.ts';
import { batchAsked } from '../../../events/split-events.ts';

/** Events as a plain HTTP client sends them: one a request, or several as lines or as a JSON array. */
export function createHttpFace(acceptor: Acceptor): Face {
  return new HttpFace(acceptor);
}

class HttpFace implements Face {
  readonly prefix = '/stream/';
  readonly routes = ['POST /stream/{projectId}/{sourceId}/{secret}', 'POST /stream/{projectId}/{sourceId}'] as const;
  readonly #targets: Targets;
  readonly #work: Work;

  constructor(acceptor: Acceptor) {
    this.#targets = new Targets(acceptor.sources, 'http');
    this.#work = acceptor;
  }

  owns(path: string): boolean | Refusal {
    const { kind } = parseRoute(path);
    return kind === 'invalidEncoding' ? invalidPath : kind === 'stream';
  }

  read(head: Head): Reading | Refusal | undefined {
    const target = this.#find(head);
    if (target?.kind !== 'target') return target;
    const query = head.query === '' ? emptyQuery : parseQuery(head.query);
    return query.kind === 'refusal' ? query : new HttpReading(target, query, this.#work);
  }

  #find({ path, authorization, now }: Head): Target | Refusal | undefined {
    const known = this.#targets.recall(path, now);
    if (known !== undefined) return known;
    // A blank stands in no path, so the two keys are never taken for one another.
    const key = authorization === undefined ? path : `${path} ${authorization}`;
    const knownByHeader = authorization === undefined ? undefined : this.#targets.recall(key, now);
    if (knownByHeader !== undefined) return knownByHeader;
    const route = parseRoute(path);
    switch (route.kind) {
      case 'stream': {
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
    { project, source }: Extract<Route, { readonly kind: 'stream' }>,
    by: { readonly secret: string | undefined; readonly now: number },
    key: string,
  ): Target | Refusal {
    if (!/^[0-9]{1,15}$/.test(project)) return invalidProjectId(project);
    return this.#targets.find({ projectId: Number(project), sourceId: source, ...by }, key);
  }
}

/** What decodes: who makes the ids, and the rotation of long bodies. */
type Work = Pick<Acceptor, 'ids' | 'turns'>;

class HttpReading implements Reading {
  readonly kind = 'reading';
  readonly #target: Target;
  readonly #query: Query;
  readonly #work: Work;
  /** One event for one source, and nothing asked for: the answer is as short as can be. */
  #isPlain = false;

  constructor(target: Target, query: Query, work: Work) {
    this.#target = target;
    this.#query = query;
    this.#work = work;
  }

  get sources(): readonly DirectorySource[] {
    return this.#target.sources;
  }

  decode(request: ReceivedRequest): Decoded | Promise<Decoded> {
    const { verbose } = this.#query;
    const [source] = this.sources;
    const batch = batchAsked(request.contentType, this.#query.batch);
    this.#isPlain = !verbose && this.sources.length === 1 && (batch ?? source?.batch) === 'off';
    const { ids, turns } = this.#work;
    return turns.run(decode(request, { target: this.#target, batch, verbose }, ids));
  }

  answer(results: readonly WriteResult[]): Answer {
    const isShort = this.#isPlain || (!this.#query.verbose && !hasFailed(results));
    return isShort ? shortAnswer(results) : longAnswer(this.#target.projectId, results);
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
