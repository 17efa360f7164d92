import type { Partition } from '../../../core/offset.ts';
import type { SinkStatus } from '../../../core/sink-status.ts';

/**
 * What one finding is about.
 * - `failing`: a role cannot serve the sink. `server`: a process cannot use a server that it needs.
 * - `unmapped`: accepted, no outcome yet. `transaction`: behind a transaction of another producer that is open.
 * - `open`: mapped, in an open slice or on its way into staging. `staged`: waits for an import. `importing`: in one that runs.
 * - `replaying`: dead letters are mapped again; they are dead until they are rows.
 * - `parked`: set aside in staging. `torn`: outcomes were lost, and are mapped again. `cut`: the source lost its end.
 * - `lost`: will never be in the table. `alarm`: somebody has to look. `closed`: the sink takes nothing that comes now.
 * - `unknown`: cannot be told now.
 */
export const findingKinds = [
  'failing',
  'server',
  'unmapped',
  'transaction',
  'open',
  'staged',
  'importing',
  'replaying',
  'parked',
  'torn',
  'cut',
  'lost',
  'alarm',
  'closed',
  'unknown',
] as const;

/** One reason why rows are not in the table yet, or never will be. Times in milliseconds since the epoch. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  /** Sentences for people; times in them are ISO. */
  readonly text: string;
  readonly role?: SinkStatus['role'];
  /** Absent: the whole sink. */
  readonly partitions?: readonly Partition[];
  /** How many events it is about, where that is known; of a record that holds several and is not mapped, one. */
  readonly events?: number;
  readonly since?: number;
  /** What comes next, at the latest, where that is known: a trigger, a try. */
  readonly nextAt?: number;
  /** Of the catalogue of errors, with what to do. */
  readonly code?: string;
  readonly action?: string;
  readonly attempts?: number;
}
