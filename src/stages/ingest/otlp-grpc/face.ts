import { status } from '@grpc/grpc-js';
import type { SourceKey } from '../../../core/ids.ts';
import { bearerToken } from '../../../events/bearer-token.ts';
import { hindered, refusal, type Refusal } from '../../../events/refusal.ts';
import { tooManyHeaders } from '../../../events/request-limits.ts';
import type { SourceDirectory } from '../accept/source-directory.ts';
import { Targets, type Target } from '../accept/targets.ts';
import { refusedCall, type RefusedCall } from './answer.ts';
import { parseSourceName } from './route.ts';

/** What the metadata of a call say, before anything else of it is read. */
export interface CallHead {
  readonly authorization: string | undefined;
  /** Of `millrace-source`. */
  readonly source: string | undefined;
  readonly headers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Decides on calls by their metadata alone: which sources they are for. */
export class OtlpCalls {
  readonly #targets: Targets;
  readonly #projectId: number;

  constructor(sources: SourceDirectory, projectId: number) {
    this.#targets = new Targets(sources, 'otlp');
    this.#projectId = projectId;
  }

  admit(head: CallHead): Target | RefusedCall {
    const secret = bearerToken(head.authorization);
    if (secret === undefined) return refusedCall(noSecret, status.UNAUTHENTICATED);
    const target = this.#find(head, secret);
    if (target.kind === 'refusal') return refusedCall(target);
    const crowded = tooManyHeaders(head.headers);
    if (crowded !== undefined) return refusedCall(crowded);
    const [source] = target.sources;
    if (target.sources.length !== 1 || source?.refusal === undefined) return target;
    return refusedCall(hindered(source.refusal));
  }

  #find({ source, now }: CallHead, secret: string): Target | Refusal {
    // A blank stands in no secret, so the two keys are never taken for one another.
    const key = source === undefined ? secret : `${secret} ${source}`;
    const known = this.#targets.recall(key, now);
    if (known !== undefined) return known;
    const named = source === undefined ? undefined : parseSourceName(source);
    return named?.kind === 'refusal' ? named : this.#lookUp({ secret, source: named?.key, now }, key);
  }

  #lookUp(
    by: { readonly secret: string; readonly source: SourceKey | undefined; readonly now: number },
    key: string,
  ): Target | Refusal {
    return this.#targets.findBySecret({ ...by, projectId: this.#projectId }, key);
  }
}

const noSecret = refusal(
  'invalid',
  'unauthenticated',
  'No metadata "authorization" with a secret: must be "Bearer <secret>", with the secret of an OTLP source.',
);
