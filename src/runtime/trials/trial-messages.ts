import type { OutcomeTest, PayloadTest, ShownTest, TriedLetter, TriedOutcome } from '../../control/trials/trials.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { DeadLetterCells } from '../../core/dead-letter.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { RemappedLetters } from '../../mapping/remap-letters.ts';
import type { TemplateLimits } from '../../mapping/jsonnet-templates.ts';

/** What the thread is told at its start. */
export interface TrialSpec {
  readonly templates: TemplateLimits;
  /** Where it says which cell it is at, and which one took longest so far: sink and column of each, -1 while there is none. */
  readonly cells: Int32Array;
}

/** One at a time. */
export type TrialJob =
  | { readonly kind: 'check'; readonly mapping: Mapping }
  | { readonly kind: 'test'; readonly test: PayloadTest }
  | { readonly kind: 'outcomes'; readonly test: OutcomeTest }
  | { readonly kind: 'letters'; readonly mapping: Mapping; readonly letters: readonly DeadLetterCells[] }
  | { readonly kind: 'remap'; readonly mapping: Mapping; readonly letters: readonly DeadLetterCells[] };

/** What came of a job: what its kind asks for. */
export interface TrialAnswer {
  readonly shown?: ShownTest;
  readonly outcomes?: readonly (readonly TriedOutcome[])[];
  readonly letters?: readonly TriedLetter[];
  readonly remapped?: RemappedLetters;
}

export type FromTrial =
  /** The time of the job counts from here. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'done'; readonly answer: TrialAnswer }
  | { readonly kind: 'failed'; readonly code: ErrorCode | undefined; readonly message: string };
