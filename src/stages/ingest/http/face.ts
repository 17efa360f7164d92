import type { Acceptor } from '../accept/acceptor.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Target } from '../accept/targets.ts';
import type { WriteResult } from '../accept/write.ts';
import type { Answer, Decoded, Face, Head, Reading } from '../exchange/face.ts';
import { TargetFinder } from '../exchange/target-finder.ts';
import type { ReceivedRequest } from '../../../events/read-request.ts';
import { hasFailed, longAnswer, shortAnswer } from './answer.ts';
import { decode } from './decode.ts';
import { emptyQuery, parseQuery, type Query } from './query.ts';
import { batchAsked } from '../../../events/split-events.ts';

/** Events as a plain HTTP client sends them: one a request, or several as lines or as a JSON array. */
export function createHttpFace(acceptor: Acceptor): Face {
  return new HttpFace(acceptor);
}

class HttpFace implements Face {
  readonly prefix = '/stream/';
  readonly routes = ['POST /stream/{projectId}/{sourceId}/{secret}', 'POST /stream/{projectId}/{sourceId}'] as const;
  readonly #targets: TargetFinder;
  readonly #work: Work;

  constructor(acceptor: Acceptor) {
    this.#targets = new TargetFinder(acceptor.sources, 'http', 'stream');
    this.#work = acceptor;
  }

  owns(path: string): boolean | Refusal {
    return this.#targets.owns(path);
  }

  read(head: Head): Reading | Refusal | undefined {
    const target = this.#targets.find(head.path, head);
    if (target?.kind !== 'target') return target;
    const query = head.query === '' ? emptyQuery : parseQuery(head.query);
    return query.kind === 'refusal' ? query : new HttpReading(target, query, this.#work);
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
