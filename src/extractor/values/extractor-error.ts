/** What the owner of a configuration, or the API that it asks, can mend: the job ends with this text and stores nothing. */
export class ExtractorError extends Error {
  override readonly name = 'ExtractorError';

  constructor(message: string, options?: ErrorOptions) {
    super(message.length > longest ? `${message.slice(0, longest)}…` : message, options);
  }
}

/** In characters: what an API has sent may be in a text. */
const longest = 4000;
