/** What every method that waits takes last; an abort rejects with the signal's reason and changes nothing by itself. */
export interface Waiting {
  readonly signal: AbortSignal;
}
