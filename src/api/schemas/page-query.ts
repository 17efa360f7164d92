import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { integerText, maybe } from './field.ts';

/** Query of every list: ids after `afterId`, at most `limit` of them. */
export const pageQuery = z.object({
  afterId: maybe(z.string()).meta({ description: 'Show what follows this id.' }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `Items on a page, ${limits.listPage} when absent.`,
  }),
});

export type PageQuery = z.output<typeof pageQuery>;
