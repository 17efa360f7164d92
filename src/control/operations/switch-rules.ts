import type { Source } from '../../core/source.ts';
import { checkVersionLimit } from '../store/version-of.ts';

/** What switches a source or a sink. */
export type SwitchOperation = 'disable' | 'enable' | 'delete';

/** What the task says in the end. */
export function switchedText(object: 'Source' | 'Sink', operation: SwitchOperation): string {
  return `${object} has been ${operation}d successfully.`;
}

/** Refuses a switch for which the object has too many versions; one that is so already gets none, and a deleted one keeps its own. */
export function checkSwitch(object: Pick<Source, 'disabled' | 'version'>, operation: SwitchOperation): void {
  if (operation !== 'delete' && (object.disabled === undefined) === (operation === 'disable'))
    checkVersionLimit(object);
}
