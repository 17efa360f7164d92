import type { By, Stamp } from '../../core/source.ts';
import type { AdminContext } from '../admin-context.ts';

/** The moment and who acts, as documents keep it. */
export function stampNow({ clock }: Pick<AdminContext, 'clock'>, by: By): Stamp {
  return { at: new Date(clock.now()).toISOString(), by };
}
