import type { OtlpEncoding } from '../../../events/read-otlp.ts';
import type { Refusal } from '../../../events/refusal.ts';
import { responseBytes, responseText, statusBytes, statusText, type Partial } from '../../../otlp/answers.ts';
import type { WriteResult } from '../accept/write.ts';
import type { Content } from '../exchange/face.ts';
import { statuses } from '../exchange/problem.ts';
import { rpcCodes } from '../otlp/rpc-codes.ts';
import { worstOf } from '../otlp/worst-of.ts';
import { mediaTypes } from './media-type.ts';

/** What became of a request: stored, or in part, or why not. Where several sources are named, the worst that happened to one. */
export function answer(results: readonly WriteResult[], encoding: OtlpEncoding, partial: Partial): Content {
  const worst = worstOf(results.map(({ outcome }) => outcome));
  return worst === undefined ? success(results, encoding, partial) : refusedContent(worst, encoding);
}

/** A refusal as a `google.rpc.Status`, as OTLP has it ("Failures"). */
export function refusedContent(refusal: Refusal, encoding: OtlpEncoding): Content {
  const status = { code: rpcCodes[refusal.fault], message: refusal.message };
  return {
    kind: 'content',
    status: statuses[refusal.fault],
    type: mediaTypes[encoding],
    body: encoding === 'json' ? statusText(status) : statusBytes(status),
    retryAfterSeconds: refusal.retryAfterSeconds,
    failure: refusal.name,
  };
}

function success(results: readonly WriteResult[], encoding: OtlpEncoding, partial: Partial): Content {
  return {
    kind: 'content',
    status: results.every(({ outcome }) => outcome === 'stored') ? 200 : 202,
    type: mediaTypes[encoding],
    body: encoding === 'json' ? responseText(partial) : responseBytes(partial),
    retryAfterSeconds: undefined,
    failure: undefined,
  };
}
