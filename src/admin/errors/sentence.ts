/** Makes a message a sentence: a capital in front; a dot after a letter, a digit or a quote. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[\p{L}\p{N}'"]$/u.test(text) ? `${text}.` : text;
}

/** One message as a sentence, several as lines `- A.`. */
export function sentences(messages: readonly string[]): string {
  if (messages.length === 1) return sentence(messages[0] ?? '');
  return messages.map((message) => `- ${sentence(message)}`).join('\n');
}
