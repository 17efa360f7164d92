import { MillraceError } from './millrace-error.ts';

/** A topic as a document knows it, or as it was found. */
export interface KnownTopic {
  readonly topic: string;
  readonly identity: string;
}

/**
 * For whoever means another existence of the topic than there is now. Its offsets begin anew: taken for those of the one before they would
 * look like repeats.
 */
export function topicChanged({ topic, identity }: KnownTopic, known: string): MillraceError {
  const message = `topic "${topic}" was made anew: its identity is ${identity}, not ${known}`;
  return new MillraceError('progress.topicChanged', message, { details: { topic } });
}
