import type { Signal } from '../../../core/event.ts';
import type { EventIds } from '../../../events/event-id.ts';
import { readOtlp, type OtlpEncoding, type OtlpRecords } from '../../../events/read-otlp.ts';
import type { ReceivedRequest } from '../../../events/read-request.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Target } from '../accept/targets.ts';

/** Where the records of a request go, and what its head says of its body. */
export interface Addressed {
  readonly target: Target;
  readonly signal: Signal;
  readonly encoding: OtlpEncoding;
}

/** What every source gets, or why nothing of the request may be stored; it pauses so that a large body can be read in turns. */
export function decode(
  request: ReceivedRequest,
  { target, signal, encoding }: Addressed,
  ids: EventIds,
): Generator<void, OtlpRecords<DirectorySource> | Refusal> {
  return readOtlp({ ...request, signal, encoding, secrets: target.secrets }, target.sources, ids);
}
