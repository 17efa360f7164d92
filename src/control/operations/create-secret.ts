import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';

const secretLength = 48;

/** A secret for senders: 48 letters and digits. */
export function createSecret({ random }: Pick<Parts, 'random'>): { readonly text: string } {
  return { text: randomText(random, secretLength) };
}
