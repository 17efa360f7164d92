import type { TableStore } from '../../ports/table-store.ts';
export async function openClusterTables(_t: unknown, _c: string): Promise<TableStore> {
  throw new Error('x');
}
