import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { integerText, maybe } from './field.ts';
import { sinkPath, sourcePath } from './path.ts';

const versionNumber = integerText({ name: 'versionNumber', min: 1, max: Number.MAX_SAFE_INTEGER }).meta({
  example: '1',
});

export const sourceVersionPath = sourcePath.extend({ versionNumber });

export const sinkVersionPath = sinkPath.extend({ versionNumber });

/** Query of a list of versions: those after number `afterId`, at most `limit` of them. */
export const versionQuery = z.object({
  afterId: z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      maybe(integerText({ name: 'afterId', min: 0, max: Number.MAX_SAFE_INTEGER })),
    )
    .meta({ description: 'Show what follows this version; `2` and `0000000002` are the same.' }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `Items on a page, ${limits.listPage} when absent.`,
  }),
});
