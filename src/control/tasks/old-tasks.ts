import { taskDocuments } from '../../documents/task-document.ts';
import type { Task } from '../../core/task.ts';
import type { Clock } from '../../core/clock.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { TaskRunner } from './task-runner.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { unlessUnusable } from '../store/unless-unusable.ts';

const hourMs = 3_600_000;
const keptMs = { success: hourMs, error: 48 * hourMs, processing: 48 * hourMs } as const;

interface Tasks {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * Ends in `error` what is `processing` though nobody runs it (A28): an earlier life of this process ran it, or the
 * catalog kept a record whose request it refused. Younger tasks than `olderThanMs` are left alone: they may be about to
 * run.
 */
export async function endOrphanedTasks(
  { catalog, tasks, clock, telemetry }: Tasks,
  { signal, olderThanMs = 0 }: Waiting & { readonly olderThanMs?: number },
): Promise<void> {
  const { documents } = await listReadable(catalog, { kind: taskDocuments }, { signal });
  for (const task of documents) {
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
    const { taskId: id } = task;
    await unlessUnusable({ telemetry }, { taskId: id }, () =>
      changeDocument(catalog, { kind: taskDocuments, id, change }, { signal }),
    );
  }
}

/** Removes tasks that nobody needs any more: successful ones after an hour, others after two days. */
export async function removeOldTasks({ catalog, tasks, clock }: Tasks, options: Waiting): Promise<void> {
  const { documents } = await listReadable(catalog, { kind: taskDocuments }, options);
  for (const task of documents) {
    const since = Date.parse(task.status === 'processing' ? task.createdAt : task.finishedAt);
    if (!tasks.isRunning(task.taskId) && clock.now() - since > keptMs[task.status])
      await removeDocument(catalog, { collection: 'task', id: task.taskId }, options);
  }
}
