const table = (name: string): object => ({
  tableId: `in.c-audit.${name}`,
  mapping: { columns: [{ type: 'uuid', name: 'id' }] },
});

/** A job that ends at once, in an error. */
export const anyJob = { component: 'generic-extractor', configData: { parameters: {} } };

/** Bodies that make something under a name, by operations; every other change is asked for without a body, or with an empty one. */
export const bodiesOfRoutes: Readonly<Record<string, (name: string) => object>> = {
  createSource: (name) => ({ type: 'http', name: `${name}-made`, sinks: [{ name: 'k', table: table(name) }] }),
  createSink: (name) => ({ name: 'made', table: table(name) }),
  createTable: (name) => ({ name: `${name}-created`, columns: [{ name: 'a' }] }),
  renameTable: (name) => ({ name: `${name}-renamed` }),
  createConfiguration: (name) => ({ name }),
  createConfigurationInBranch: (name) => ({ name }),
  setVaultVariable: (name) => ({ name, value: 'secret' }),
  setVaultVariableInBranch: (name) => ({ name, value: 'secret' }),
  setSchedule: () => ({ cron: '0 3 * * *' }),
  setScheduleInBranch: () => ({ cron: '0 3 * * *' }),
  createJob: () => anyJob,
  createBucket: (name) => ({ stage: 'out', name }),
  addColumn: () => ({ name: 'c' }),
  prepareFile: (name) => ({ name }),
  importTable: () => ({ dataFileId: 1, incremental: true }),
  createTableFromFile: (name) => ({ dataFileId: 1, name }),
  startBackup: () => ({ to: 'nowhere' }),
  purgeDeadLetters: () => ({ until: '2026-01-01T00:00:00Z' }),
  addFileTag: () => ({ tag: 't' }),
};
