import { isRefusedByMongodb } from '../../adapters/mongodb/errors.ts';
import type { MongodbCatalog } from '../../config/topology/mongodb-catalog.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { StoreRow } from './store-row.ts';

export const mongodbCatalog: StoreRow<MongodbCatalog, Catalog> = {
  async open(catalog, { clientId, mustExist = false, signal }) {
    const { openMongodbCatalog } = await import('../../adapters/mongodb/catalog.ts');
    return openMongodbCatalog({ ...catalog, mustExist, applicationName: clientId }, { signal });
  },
  async check(catalog, { clientId, now, signal }) {
    const { checkMongodbCatalog } = await import('../../adapters/mongodb/check-catalog.ts');
    return checkMongodbCatalog({ ...catalog, applicationName: clientId }, { now, signal });
  },
  isRefused: isRefusedByMongodb,
};
