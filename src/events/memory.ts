import { refusals, type Refusal } from './refusal.ts';

/** The memory of a request while something is made of its body. */
export interface Memory {
  /** Counts bytes until the log has the events of the request; false when there is no room for them. */
  hold(bytes: number): boolean;
  /** Takes back bytes of `hold` that are there no more. */
  release(bytes: number): void;
  /** Why there was no room: sent again the request may find it, or it takes more than there is at all. */
  whyNot(bytes: number): Refusal;
}

/** The same, with the answer to the request. */
export interface ExchangeMemory extends Memory {
  /** Counts bytes until the sender has its answer. */
  holdAnswer(bytes: number): boolean;
}

/** For a call whose body is bounded, and with it what is made of it. */
export const boundedByBody: ExchangeMemory = {
  hold: () => true,
  release: () => undefined,
  whyNot: () => refusals.tooManyRequests,
  holdAnswer: () => true,
};
