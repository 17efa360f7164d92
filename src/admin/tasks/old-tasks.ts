import { taskDocuments } from '../../documents/task-document.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';

const hourMs = 3_600_000;
const keptMs = { success: hourMs, error: 48 * hourMs, processing: 48 * hourMs } as const;

type Tasks = Pick<AdminContext, 'catalog' | 'tasks' | 'clock'>;

/**
 * Ends in `error` what is `processing` though nobody runs it (A28): another life of this process did, or the catalog
 * kept a record whose request it refused. Younger tasks than `olderThanMs` are left alone: they may be about to run.
 */
export async function endOrphanedTasks(
  { catalog, tasks, clock }: Tasks,
  { signal, olderThanMs = 0 }: Waiting & { readonly olderThanMs?: number },
): Promise<void> {
  for (const task of await listDocuments(catalog, { kind: taskDocuments }, { signal })) {
    const isYoung = olderThanMs > 0 && clock.now() - Date.parse(task.createdAt) < olderThanMs;
    if (task.status !== 'processing' || tasks.isRunning(task.taskId) || isYoung) continue;
    const change = (before: Task | undefined): Task | undefined => {
      if (before?.status !== 'processing' || tasks.isRunning(task.taskId)) return undefined;
      const now = clock.now();
      return {
        ...before,
        status: 'error',
        finishedAt: new Date(now).toISOString(),
        duration: Math.max(0, now - Date.parse(before.createdAt)),
        error: 'The process that ran the task ended before the task did; look at the object and try again.',
        outputs: {},
      };
    };
    await changeDocument(catalog, { kind: taskDocuments, id: task.taskId, change }, { signal });
  }
}

/** Removes tasks that nobody needs any more: successful ones after an hour, others after two days. */
export async function removeOldTasks({ catalog, tasks, clock }: Tasks, options: Waiting): Promise<void> {
  for (const task of await listDocuments(catalog, { kind: taskDocuments }, options)) {
    const since = Date.parse(task.status === 'processing' ? task.createdAt : task.finishedAt);
    if (!tasks.isRunning(task.taskId) && clock.now() - since > keptMs[task.status])
      await removeDocument(catalog, { collection: 'task', id: task.taskId }, options);
  }
}
