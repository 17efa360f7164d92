import { isRefusedByPostgres } from '../../adapters/postgres/errors.ts';
import type { PostgresCatalog } from '../../config/topology/postgres-server.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { StoreRow } from './store-row.ts';

export const postgresCatalog: StoreRow<PostgresCatalog, Catalog> = {
  async open(catalog, { clientId, mustExist = false, signal }) {
    const { openPostgresCatalog } = await import('../../adapters/postgres/catalog.ts');
    return openPostgresCatalog({ ...catalog, mustExist, applicationName: clientId }, { signal });
  },
  async check(catalog, { clientId, now, signal }) {
    const { checkPostgresCatalog } = await import('../../adapters/postgres/check-catalog.ts');
    return checkPostgresCatalog({ ...catalog, applicationName: clientId }, { now, signal });
  },
  isRefused: isRefusedByPostgres,
};
