/** What the owner of a configuration, or the API that it asks, can mend: the job ends with this text and stores nothing. */
export class ExtractorError extends Error {
  override readonly name = 'ExtractorError';
}
