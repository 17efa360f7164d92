import type { BranchId, SinkId, SourceId } from './ids.ts';
import type { Offset, Partition } from './offset.ts';

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

/** A row of that table. */
export type DeadLetterCells = Readonly<Record<(typeof deadLetterColumns)[number], string>>;

/** The cells that tell a dead letter from all others of its incarnation, in order. */
export const letterKeyColumns = ['partition', 'offset', 'event_id'] as const;

/** Where a dead letter stands among those of its incarnation. */
export interface LetterKey {
  readonly partition: Partition;
  readonly offset: Offset;
  readonly eventId: string;
}

/** Why a mapping refused an event. The text of a reason is API. */
export type DeadLetterReason =
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

/** Which dead letters are meant: those that have all that is named. */
export interface DeadLetterFilter {
  readonly reason?: string;
  /** The column whose cell could not be made. */
  readonly column?: string;
  readonly eventId?: string;
  /** The event arrived then or later, milliseconds since the epoch. */
  readonly since?: number;
  /** It arrived before that, milliseconds since the epoch. */
  readonly until?: number;
}

/** Whose dead letters are meant: those of a branch, of a source or of a sink. */
export interface LetterScope {
  readonly branchId: BranchId;
  readonly sourceId?: SourceId;
  /** Only with a source. */
  readonly sinkId?: SinkId;
}

export interface LetterQuery {
  readonly scope: LetterScope;
  readonly filter: DeadLetterFilter;
}
