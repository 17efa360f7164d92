import type { Telemetry } from './telemetry.ts';

/** A document of the catalog cannot be read: what follows collections goes on without it. */
export function unreadDocument({ log }: Telemetry): (id: string, error: unknown) => void {
  return (id, error) => log.error({ id, err: error }, 'document cannot be read');
}
