import type { EventIds } from '../../../events/event-id.ts';
import { readRequest, type ReceivedRequest } from '../../../events/read-request.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { BatchRequest } from '../../../events/split-events.ts';
import type { Target } from '../accept/targets.ts';
import type { Write } from '../accept/write.ts';
import { answerBytesAnEvent } from './answer.ts';

/** Where the events of a request go, and how it asks to be split; undefined: as each source says. */
export interface Addressed {
  readonly target: Target;
  readonly batch: BatchRequest | undefined;
  /** The answer names each event. */
  readonly verbose: boolean;
}

/** What every source gets, or why nothing of the request may be stored; it pauses so that a large body can be split in turns. */
export function decode(
  request: ReceivedRequest,
  { target, batch, verbose }: Addressed,
  ids: EventIds,
): Generator<void, readonly Write[] | Refusal> {
  const answerBytes = verbose ? answerBytesAnEvent : 0;
  return readRequest(request, { sources: target.sources, batch, answerBytes, secrets: target.secrets }, ids);
}
