import type { Mutation } from './mutation.ts';

/** Whose the stores are, and what the clean-up may remove. */

const claims = 'src/stages/claims/store-claims.ts';
const claimsTest = 'src/stages/claims/store-claims.test.ts';
const collector = 'src/stages/import/collector.ts';
const collectorTest = 'src/stages/import/collector.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'the clean-up looks whose the store is',
    file: collector,
    from: "    if (!(await this.#options.ownership.isOurs('staging', options))) return 0;\n",
    to: '',
    test: { file: collectorTest, title: 'D2: another catalog removes nothing below a prefix' },
  },
  {
    rule: 'objects of incarnations that the catalog never handed out are no garbage',
    file: collector,
    from: '      if (parsed.incarnation > last) continue;\n',
    to: '',
    test: { file: collectorTest, title: 'D2: objects of an incarnation that the catalog never handed out' },
  },
  {
    rule: "a store with another's mark is not ours",
    file: claims,
    from: '    if (claimant !== id) throw foreign(store.name, { id, claimant });\n',
    to: '',
    test: { file: claimsTest, title: 'D2: another catalog does not start on a marked store' },
  },
  {
    rule: 'a mark that is gone is missed',
    file: claims,
    from: '      if (claimed.has(store.name)) throw unmarked(store.name, id);\n',
    to: '',
    test: { file: claimsTest, title: 'D2: a store without the mark that it had' },
  },
  {
    rule: 'what holds unknown incarnations is not claimed',
    file: claims,
    from: '      await this.#refuseUnknown(store, { id, ...options });\n',
    to: '',
    test: { file: claimsTest, title: 'D2: a store without a mark that holds what the catalog never handed out' },
  },
  {
    rule: 'a store whose mark cannot be read is not ours for the moment',
    file: claims,
    from: '      return false;\n',
    to: '      return true;\n',
    test: { file: claimsTest, title: 'D6: while the mark cannot be read' },
  },
  {
    rule: 'a store that was found to be foreign stays so while nobody can read its mark',
    file: claims,
    from: ' || (before !== undefined && isNotOurs(before) && !isNotOurs(error))',
    to: '',
    test: { file: claimsTest, title: 'D2: a mark that changes under a process' },
  },
  {
    rule: 'the mark is written where no object of its name is, and the one that is there counts',
    file: 'src/stages/claims/staging-mark.ts',
    from: 'if (present !== undefined) return present;',
    to: 'if (present !== undefined) return installation;',
    test: { file: 'src/adapters/filesystem/object-store.test.ts', title: 'D3: belongs to the first that claims it' },
  },
  {
    rule: 'sinks of incarnations that the catalog never handed out are not left half made',
    file: 'src/admin/operations/sweep.ts',
    from: ' || parsed.incarnation > last',
    to: ' || last < 0',
    test: { file: 'src/admin/foreign-topics.test.ts', title: 'D2: a start removes what it left half made' },
  },
  {
    rule: 'tables are marked once, in one file',
    file: 'src/adapters/duckdb/installation-mark.ts',
    from: ' WHERE NOT EXISTS (FROM ${table})',
    to: ' WHERE $1 IS NOT NULL',
    test: { file: 'src/adapters/duckdb/table-store.test.ts', title: 'D3: belongs to the first that claims it' },
  },
  {
    rule: 'tables are marked once, on a server',
    file: 'src/adapters/postgres/installation-mark.ts',
    from: '  if (present !== undefined) return present;\n',
    to: '',
    test: {
      file: 'src/adapters/postgres/table-store.postgres.test.ts',
      title: 'D3: belongs to the first that claims it',
    },
  },
];
