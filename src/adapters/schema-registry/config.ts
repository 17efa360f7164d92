import type { HiddenText } from '../hidden-text.ts';

/** Where the registry is and how it is reached. */
export interface SchemaRegistryOptions {
  /** Base of the API that is Confluent's, without a slash at the end. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: HiddenText | undefined;
  /** PEM file of authorities that are trusted besides the public ones. */
  readonly caFile?: string | undefined;
  /** For one answer. */
  readonly answerMs?: number | undefined;
}

export const defaultAnswerMs = 10_000;

/** Of one answer; a schema in JSON takes more bytes than its text, which has a limit of its own. */
export const maxAnswerBytes = 8 * 1024 * 1024;

/** Requests at a time; more wait. */
export const maxConnections = 8;
