import { Metadata, type StatusObject } from '@grpc/grpc-js';
import type { Refusal } from '../../../events/refusal.ts';
import { statusBytes } from '../../../otlp/answers.ts';
import { rpcCodes } from '../otlp/rpc-codes.ts';

/** A refusal as its sender gets it. */
export interface RefusedCall extends StatusObject {
  readonly kind: 'refusedCall';
  /** For programs, as over HTTP. */
  readonly name: string;
}

/** A refusal with the details that gRPC has for it: how long to wait is in them. `code`: where its fault says too little. */
export function refusedCall(
  { fault, name, message, retryAfterSeconds }: Refusal,
  code: number = rpcCodes[fault],
): RefusedCall {
  // What was quoted may be cut in the middle of a character, which the header cannot have.
  const details = message.toWellFormed();
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(statusBytes({ code, message: details }, retryAfterSeconds)));
  return { kind: 'refusedCall', name, code, details, metadata };
}
