import type { AuditedDefinition, AuditObject, EndedAuditEntry, OpenAuditEntry } from '../../core/audit-entry.ts';
import type { BranchId } from '../../core/ids.ts';
import { shortened } from '../../core/shortened.ts';
import type { By } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { refusalOf } from '../errors/refusal.ts';
import { sentence } from '../errors/sentence.ts';
import type { Reply } from '../routes/route.ts';
import { auditedDefinition, bounded, keptOf } from './audited-definition.ts';
import { auditSlack, removeOldEntries } from './old-entries.ts';

export interface AuditedChange {
  readonly operation: string;
  readonly branchId: BranchId;
  /** As far as the request names it. */
  readonly object: AuditObject | undefined;
  readonly by: By;
  readonly requestId: string;
}

/**
 * Makes a change that the API was asked for, with its entry in the audit trail: written before, so that no change is without one, and
 * completed when the change, or the task that makes it, has ended. A request that is refused (4xx) changed nothing and leaves none.
 */
export async function audited(
  context: AdminContext,
  change: AuditedChange,
  { signal, make }: Waiting & { readonly make: () => Promise<Reply> },
): Promise<Reply> {
  const { object, ...rest } = change;
  const look = async (): Promise<AuditedDefinition | undefined> =>
    object && (await auditedDefinition(context, object, { signal }));
  let before = await look();
  const known = { ...(object && { object }), ...(before && { before: bounded(before) }) };
  const entry = await context.audit.begin({ ...rest, ...known }, { signal });
  if (context.audit.begun % auditSlack === 0) context.audit.follow((options) => removeOldEntries(context, options));
  try {
    const reply = await context.audit.making(async () => void (before = await look()), make);
    const made = reply.kind === 'json' ? (reply.object ?? object) : object;
    const answered = { ...entry, ...(made && { object: made }), ...(before && { before: bounded(before) }) };
    const taskId = taskIdOf(reply);
    if (taskId === undefined) await end(context, { entry: answered, before }, { outcome: 'success' });
    else followTask(context, { entry: { ...answered, taskId }, before });
    return reply;
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (isRefused(refusal.status)) await context.audit.withdraw(entry);
    else await end(context, { entry, before }, failed(sentence(refusal.message)));
    throw thrown;
  }
}

/** Neither ours to mend nor cut off in the middle. */
function isRefused(status: number): boolean {
  return status < 500 && status !== 408 && status !== 499;
}

function taskIdOf(reply: Reply): string | undefined {
  if (reply.kind !== 'json' || reply.status !== 202) return undefined;
  return 'taskId' in reply.body && typeof reply.body.taskId === 'string' ? reply.body.taskId : undefined;
}

type Outcome = { readonly outcome: 'success' | 'interrupted' } | { readonly outcome: 'error'; readonly error: string };

interface Ending {
  readonly entry: OpenAuditEntry;
  /** Whole; the entry may hold less of it. */
  readonly before: OpenAuditEntry['before'];
}

function followTask(context: AdminContext, ending: Ending & { readonly entry: { readonly taskId: string } }): void {
  const { audit, tasks } = context;
  const { taskId } = ending.entry;
  audit.follow(async (options) => {
    await audit.note(ending.entry, options).catch(() => undefined);
    await tasks.whenEnded(taskId);
    const outcome = outcomeOf(await tasks.find(taskId, options));
    if (outcome !== undefined) await end(context, ending, outcome);
  });
}

const maxErrorLength = 4000;

function failed(error: string): Outcome {
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

/** Completes an entry with the object as it stands then. Never rejects. */
export async function end(context: AdminContext, { entry, before }: Ending, outcome: Outcome): Promise<void> {
  const { audit, clock } = context;
  const { before: _, object, ...rest } = entry;
  const finishedAt = new Date(clock.now()).toISOString();
  await audit.end(entry, async (options): Promise<EndedAuditEntry> => {
    const after = object && (await auditedDefinition(context, object, options));
    return { ...rest, ...(object && { object }), ...keptOf(before, after), ...outcome, finishedAt };
  });
}
