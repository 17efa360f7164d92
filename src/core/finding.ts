/** One thing that was looked at on a server. */
export interface Finding {
  /** `advice`: it works, and something about it should be mended. */
  readonly kind: 'good' | 'bad' | 'advice';
  /** One word: `connection`. */
  readonly about: string;
  /** A sentence for the operator. */
  readonly text: string;
}

/** What an error says, as the text of a finding. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
