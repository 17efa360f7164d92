/** Columns of the dead letter table `sys.c-millrace.dead_letters`, in order; every cell is text. */
export const deadLetterColumns = [
  'incarnation',
  'source',
  'sink',
  'partition',
  'offset',
  'event_id',
  'arrived_at',
  'reason',
  'column',
  'message',
  'place',
  'mapping_version',
  'headers',
  'body',
] as const;

/** Why a mapping refused an event. The text of a reason is API. */
type DeadLetterReason =
  | 'pathNotFound'
  | 'invalidJson'
  | 'invalidForm'
  | 'unsupportedMediaType'
  | 'templateError'
  | 'templateLimit'
  | 'invalidText'
  | 'rowTooLarge'
  | 'eventTooLarge'
  | 'undecodable';

/** A refused event: what went wrong and where. `column` and `place` (for example `1:1-8`) may be empty. */
export interface Refusal {
  readonly reason: DeadLetterReason;
  readonly column: string;
  readonly message: string;
  readonly place: string;
}
