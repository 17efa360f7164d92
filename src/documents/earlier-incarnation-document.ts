import { z } from 'zod';
import type { EarlierIncarnation } from '../core/earlier-incarnation.ts';
import { branchId, incarnation, sinkId, sourceId, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';
import { importedStatistics } from './progress-document.ts';

const schema: z.ZodType<EarlierIncarnation> = z.looseObject({
  key: z.looseObject({ branchId, sourceId, sinkId }),
  incarnation,
  imported: importedStatistics,
} satisfies FieldsOf<EarlierIncarnation>);

/** Documents of collection `earlier-incarnation`. */
export const earlierIncarnationDocuments = new DocumentKind<EarlierIncarnation>({
  collection: 'earlier-incarnation',
  schema,
});
