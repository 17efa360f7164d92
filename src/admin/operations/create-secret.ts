import type { AdminContext } from '../admin-context.ts';
import { randomText } from '../store/random-text.ts';

const secretLength = 48;

/** A secret for senders: 48 letters and digits. */
export function createSecret({ random }: Pick<AdminContext, 'random'>): { readonly text: string } {
  return { text: randomText(random, secretLength) };
}
