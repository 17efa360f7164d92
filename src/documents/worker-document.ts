import { z } from 'zod';
import type { WorkerSaid } from '../core/workforce.ts';
import { DocumentKind } from './document-kind.ts';
import { name, type FieldsOf } from './fields.ts';

const schema: z.ZodType<WorkerSaid> = z.looseObject({ process: name, at: name } satisfies FieldsOf<WorkerSaid>);

/** Prefix of their ids in the collection `meta`. */
export const workerPrefix = 'worker/';

export const workerDocuments = new DocumentKind<WorkerSaid>({ collection: 'meta', schema });
