import { z } from 'zod';
import type { Task, TaskOutputs } from '../core/task.ts';
import { branchId, name, sinkId, sourceId, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const shared = {
  taskId: name,
  type: name,
  branchId,
  sourceId,
  sinkId: sinkId.exactOptional(),
  createdAt: name,
  owner: text,
};

const outputs: z.ZodType<TaskOutputs> = z.looseObject({
  url: text.exactOptional(),
  projectId: z.int().exactOptional(),
  branchId: z.int().exactOptional(),
  sourceId: text.exactOptional(),
  sinkId: text.exactOptional(),
} satisfies FieldsOf<TaskOutputs>);

const finished = { finishedAt: name, duration: z.number(), outputs };

const schema: z.ZodType<Task> = z.discriminatedUnion('status', [
  z.looseObject({ ...shared, status: z.literal('processing') }),
  z.looseObject({ ...shared, ...finished, status: z.literal('success'), result: text }),
  z.looseObject({ ...shared, ...finished, status: z.literal('error'), error: text }),
]);

/** Documents of collection `task`. */
export const taskDocuments = new DocumentKind<Task>({ collection: 'task', schema });
