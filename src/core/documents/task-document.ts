import { z } from 'zod';
import type { Task, TaskOutputs } from '../task.ts';
import { branchId, name, sinkId, sourceId, text } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const shared = {
  taskId: name,
  type: name,
  branchId,
  sourceId,
  sinkId: sinkId.exactOptional(),
  createdAt: name,
  owner: text,
};

const outputs: z.ZodType<TaskOutputs> = z.object({
  url: text.exactOptional(),
  projectId: z.int().exactOptional(),
  branchId: z.int().exactOptional(),
  sourceId: text.exactOptional(),
  sinkId: text.exactOptional(),
});

const finished = { finishedAt: name, duration: z.number(), outputs };

const schema: z.ZodType<Task> = z.discriminatedUnion('status', [
  z.object({ ...shared, status: z.literal('processing') }),
  z.object({ ...shared, ...finished, status: z.literal('success'), result: text }),
  z.object({ ...shared, ...finished, status: z.literal('error'), error: text }),
]);

/** A document of collection `task`; another shape is `catalog.invalidDocument`. */
export function parseTaskDocument(value: unknown): Task {
  return parseDocument('task', schema, value);
}
