import { isRefusedByPostgres } from '../../adapters/postgres/errors.ts';
import type { PostgresTables } from '../../config/topology/postgres-server.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { StoreRow } from './store-row.ts';

export const postgresTables: StoreRow<PostgresTables, TableStore> = {
  async open(tables, { clientId, tempDir, signal }) {
    const { openPostgresTableStore } = await import('../../adapters/postgres/table-store.ts');
    return openPostgresTableStore({ ...tables, applicationName: clientId, tempDir }, { signal });
  },
  async check(tables, { clientId, tempDir, now, signal }) {
    const { checkTables } = await import('../../adapters/postgres/check-tables.ts');
    return checkTables({ ...tables, applicationName: clientId, tempDir }, { now, signal });
  },
  isRefused: isRefusedByPostgres,
};
