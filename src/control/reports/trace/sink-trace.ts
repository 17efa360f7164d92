import type { Refusal } from '../../../core/dead-letter.ts';
import type { Incarnation, SinkId } from '../../../core/ids.ts';
import type { Offset, Partition } from '../../../core/offset.ts';
import type { TableId } from '../../../core/table-id.ts';
import type { Finding } from '../why/finding.ts';

/**
 * What a sink has made of an event.
 * - `unmapped`, `mapped`: on its way to staging. `staged`, `importing`, `parked`: in staging.
 * - `row`, `dead`, `filtered`: where the sum of D4 counts it. `replayed`: it was a dead letter, and is a row by now.
 * - `unwanted`: outside of the intervals of the sink. `none`: the offset never had an event.
 * - `lost`: it went before the sink took it. `unknown`: nothing that is left says what became of it.
 */
export const traceStates = [
  'unmapped',
  'mapped',
  'staged',
  'importing',
  'parked',
  'row',
  'dead',
  'filtered',
  'replayed',
  'unwanted',
  'none',
  'lost',
  'unknown',
] as const;

export type TraceState = (typeof traceStates)[number];

/** Where an event is for one incarnation of a sink. Times in milliseconds since the epoch. */
export interface SinkTrace {
  readonly sinkId: SinkId;
  readonly incarnation: Incarnation;
  readonly isDeleted: boolean;
  readonly state: TraceState;
  /** Sentences for people; times in them are ISO. */
  readonly text: string;
  /** What its mapping makes of it, where that is known and nothing of it is in a table yet. */
  readonly outcome?: 'row' | 'dead' | 'filtered';
  readonly mappingVersion?: number;
  readonly slice?: TracedSlice;
  readonly import?: TracedImport;
  readonly deadLetter?: TracedLetter;
  readonly table?: TracedTable;
  readonly replay?: TracedReplay;
  /** Why it is not in the table yet. */
  readonly why?: readonly Finding[];
}

export interface TracedSlice {
  readonly id: string;
  readonly partition: Partition;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  readonly stagedAt: number;
}

export interface TracedImport {
  readonly number: number;
  /** When it began, while it runs; else when it had loaded. */
  readonly at: number;
}

/** The replay of dead letters that took it, and with which import; without one: that left it as it is. */
export interface TracedReplay {
  readonly id: string;
  readonly import?: TracedImport;
}

/** Why the mapping refused it, and whether the dead letter table has it; undefined: nobody could tell. */
export interface TracedLetter extends Refusal {
  readonly isInTable: boolean | undefined;
}

/** Whether the sink's table has a row with the id of the event, in a column of ids; undefined: nobody could tell. */
export interface TracedTable {
  readonly tableId: TableId;
  readonly column: string;
  readonly hasRow: boolean | undefined;
}
