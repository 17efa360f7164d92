/** A message may hold a name or a key of the configuration, so it is cut. */
const longestMessage = 4096;

/** The only error of this room: what the owner of a configuration has to mend, in the words of the reference where it has some. */
export class VariableError extends Error {
  constructor(message: string) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message);
    this.name = 'VariableError';
  }
}

/** What the configuration would become is none, or another one than its owner wrote. */
export function invalidConfiguration(reason: string): VariableError {
  return new VariableError(`Variable replacement resulted in invalid configuration, error: ${reason}`);
}
