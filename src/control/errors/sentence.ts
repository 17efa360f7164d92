/** Makes a message a sentence: a capital in front; a dot after a letter, a digit or a quote. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[\p{L}\p{N}'"]$/u.test(text) ? `${text}.` : text;
}

/** So many messages stand in one answer; then it says how many more there are. */
export const maxMessages = 20;

/** One message as a sentence, several as lines `- A.`; the last line says how many of `count` are left out. */
export function sentences(messages: readonly string[], count = messages.length): string {
  const [first = '', ...others] = messages;
  if (others.length === 0) return sentence(first);
  const left = count - maxMessages;
  const shown = left > 0 ? [...messages.slice(0, maxMessages), `and ${left} more`] : messages;
  return shown.map((message) => `- ${sentence(message)}`).join('\n');
}
