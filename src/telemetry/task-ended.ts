import type { Task } from '../core/task.ts';
import type { Telemetry } from './telemetry.ts';

/** A create, update, flush or another asynchronous operation is over. */
export function taskEnded({ log }: Telemetry, task: Task): void {
  const { taskId, type, branchId, sourceId, sinkId, status } = task;
  const fields = { taskId, type, branchId, sourceId, sinkId, status };
  if (task.status === 'error') log.warn({ ...fields, detail: task.error, durationMs: task.duration }, 'task failed');
  else log.info({ ...fields, durationMs: task.status === 'success' ? task.duration : undefined }, 'task ended');
}
