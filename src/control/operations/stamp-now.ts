import type { By, Stamp } from '../../core/source.ts';
import type { Parts } from '../parts.ts';

/** The moment and who acts, as documents keep it. */
export function stampNow({ clock }: Pick<Parts, 'clock'>, by: By): Stamp {
  return { at: new Date(clock.now()).toISOString(), by };
}
