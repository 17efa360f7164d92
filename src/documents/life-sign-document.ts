import { z } from 'zod';
import type { LifeSign } from '../core/jobs/life-sign.ts';
import { DocumentKind } from './document-kind.ts';
import { name, type FieldsOf } from './fields.ts';

const schema: z.ZodType<LifeSign> = z.looseObject({ owner: name, at: name } satisfies FieldsOf<LifeSign>);

/** Prefix of their ids in the collection `meta`. */
export const lifeSignPrefix = 'work-life/';

export const lifeSignDocuments = new DocumentKind<LifeSign>({ collection: 'meta', schema });
