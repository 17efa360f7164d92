import { status } from '@grpc/grpc-js';
import type { Signal } from '../../../core/event.ts';
import type { ContentCoding } from '../../../events/encoding/content-codings.ts';
import type { EventIds } from '../../../events/event-id.ts';
import { readOtlp, type OtlpRecords, type OtlpRequest } from '../../../events/read-otlp.ts';
import { refusal, type Refusal } from '../../../events/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Target } from '../accept/targets.ts';
import { refusedCall, type RefusedCall } from './answer.ts';

/** Where the records of a call go. */
export interface Addressed {
  readonly target: Target;
  readonly signal: Signal;
}

/** What every source gets, or why nothing of the call may be stored; it pauses so that a large message can be read in turns. */
export function decode(
  request: Omit<OtlpRequest, 'signal' | 'encoding' | 'secrets'>,
  { target, signal }: Addressed,
  ids: EventIds,
): Generator<void, OtlpRecords<DirectorySource> | Refusal> {
  return readOtlp({ ...request, signal, encoding: 'protobuf', secrets: target.secrets }, target.sources, ids);
}

const codings: ReadonlyMap<string, ContentCoding> = new Map([
  ['gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['zstd', 'zstd'],
]);

/** How a message that says that it is compressed is, by the header `grpc-encoding`. */
export function codingOf(encoding: string): ContentCoding | RefusedCall {
  const coding = codings.get(encoding.toLowerCase());
  if (coding !== undefined) return coding;
  const rule = 'must be "gzip", "deflate" or "zstd" where a message is compressed';
  const message = `Invalid header "grpc-encoding" value "${encoding.slice(0, 50)}": ${rule}.`;
  return refusedCall(refusal('unsupported', 'unsupportedMediaType', message), status.UNIMPLEMENTED);
}
