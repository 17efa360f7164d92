import type { AdminContext } from '../admin-context.ts';

/**
 * The context for taking back what only the caller knows of: what it made under a number of its own, and what it made visible, as long
 * as nobody has changed it. That is done by whoever made it, though it may have lost the seat.
 */
export function unfenced(context: AdminContext): AdminContext {
  return { ...context, catalog: context.ownCatalog };
}
