import type { SourcePage } from '../../../control/store/definitions.ts';
import type { BranchId } from '../../../core/ids.ts';
import { limits } from '../../../core/limits.ts';
import type { Source } from '../../../core/source.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import type { PageQuery } from '../../schemas/page-query.ts';
import type { Paged } from '../../views/page-view.ts';

export interface AskedSources extends Pick<SourcePage, 'state'> {
  readonly branchId: BranchId;
  readonly query: PageQuery;
}

/** The page of a branch's sources that a query asks for: no others are read. */
export async function sourcePage(
  { definitions }: Pick<ApiContext, 'definitions'>,
  { branchId, state, query: { afterId = '', limit = limits.listPage } }: AskedSources,
  options: Waiting,
): Promise<Paged<Source>> {
  const { totalCount, sources } = await definitions.sourcePage(branchId, { state, afterId, limit }, options);
  return { page: { limit, totalCount, afterId, lastId: sources.at(-1)?.sourceId ?? '' }, items: sources };
}
