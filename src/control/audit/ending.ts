import type { AuditedDefinition, EndedAuditEntry, OpenAuditEntry } from '../../core/audit-entry.ts';
import type { Clock } from '../../core/clock.ts';
import { shortened } from '../../core/shortened.ts';
import type { Task } from '../../core/task.ts';
import type { AuditTrail } from './audit-trail.ts';
import { auditedDefinition, keptOf, type AuditedStores } from './audited-definition.ts';

/** How a change ended. */
export type Outcome =
  { readonly outcome: 'success' | 'interrupted' } | { readonly outcome: 'error'; readonly error: string };

export interface Ending {
  readonly entry: OpenAuditEntry;
  /** Whole; the entry may hold less of it. */
  readonly before: OpenAuditEntry['before'];
  /** What was seen at the end of the change; absent: nobody has looked. */
  readonly after?: { readonly definition: AuditedDefinition | undefined } | undefined;
}

export interface EndingParts extends AuditedStores {
  readonly audit: AuditTrail;
  readonly clock: Clock;
}

/** Completes an entry with the object as it was seen at the end, or else as it stands then. Never rejects. */
export async function end(parts: EndingParts, { entry, before, after: seen }: Ending, outcome: Outcome): Promise<void> {
  const { before: _, object, ...rest } = entry;
  const finishedAt = new Date(parts.clock.now()).toISOString();
  await parts.audit.end(entry, async (options): Promise<EndedAuditEntry> => {
    const after = seen === undefined ? object && (await auditedDefinition(parts, object, options)) : seen.definition;
    return { ...rest, ...(object && { object }), ...keptOf(before, after), ...outcome, finishedAt };
  });
}

const maxErrorLength = 4000;

export function failed(error: string): Outcome {
  return { outcome: 'error', error: shortened(error, maxErrorLength) };
}

/** How a task ended; undefined while nobody knows. */
export function outcomeOf(task: Task | undefined): Outcome | undefined {
  switch (task?.status) {
    case 'success':
      return { outcome: 'success' };
    case 'error':
      return failed(task.error);
    case 'processing':
    case undefined:
      return undefined;
    default:
      return task satisfies never;
  }
}
