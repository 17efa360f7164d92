import { z } from 'zod';
import type { Task } from '../../core/task.ts';
import type { Addresses } from '../addresses.ts';
import { shown } from './shown.ts';

const outputsSchema = z.object({
  url: z.string().optional(),
  projectId: z.int().optional(),
  branchId: z.int().optional(),
  sourceId: z.string().optional(),
  sinkId: z.string().optional(),
});

export const taskSchema = z
  .object({
    taskId: z.string(),
    type: z.string().meta({ example: 'api.create.source' }),
    url: z.url(),
    status: z.enum(['processing', 'success', 'error']),
    isFinished: z.boolean(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    duration: z.int().optional().meta({ description: 'Milliseconds.' }),
    result: z.string().optional(),
    error: z.string().optional(),
    outputs: outputsSchema.optional(),
  })
  .meta({ id: 'Task' });

export type TaskView = z.input<typeof taskSchema>;

/** A task as the API shows it. */
export function taskView(task: Task, addresses: Addresses): TaskView {
  const { taskId, type, status, createdAt } = task;
  const head = { taskId, type, url: addresses.task(taskId), status, isFinished: status !== 'processing', createdAt };
  switch (task.status) {
    case 'processing':
      return head;
    case 'success': {
      const { finishedAt, duration, result, outputs } = task;
      return { ...head, finishedAt, duration, result, outputs: shown(outputsSchema, outputs) };
    }
    case 'error': {
      const { finishedAt, duration, error, outputs } = task;
      return { ...head, finishedAt, duration, error, outputs: shown(outputsSchema, outputs) };
    }
    default:
      return task satisfies never;
  }
}
