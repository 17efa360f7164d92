import { isRefusedByPostgres } from '../../adapters/postgres/errors.ts';
import type { PostgresTables } from '../../config/topology/postgres-server.ts';
import type { OpenTables, StoreRow } from './store-row.ts';

export const postgresTables: StoreRow<PostgresTables, OpenTables> = {
  async open(tables, { clientId, tempDir, signal }) {
    const { openPostgresTableStore } = await import('../../adapters/postgres/table-store.ts');
    const store = await openPostgresTableStore({ ...tables, applicationName: clientId, tempDir }, { signal });
    return { store, mostImports: tables.maxConnections };
  },
  async check(tables, { clientId, tempDir, now, signal }) {
    const { checkTables } = await import('../../adapters/postgres/check-tables.ts');
    return checkTables({ ...tables, applicationName: clientId, tempDir }, { now, signal });
  },
  isRefused: isRefusedByPostgres,
};
