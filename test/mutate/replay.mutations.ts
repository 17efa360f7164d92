import type { Mutation } from './mutation.ts';

/** What holds a replay of dead letters together. */

const replays = 'src/core/progress/replay.test.ts';
const file = 'src/core/progress/replay.ts';
const importer = 'src/stages/import/letter-replays.ts';
const importerTest = 'src/stages/import/letter-replays.test.ts';
const duckdb = 'src/adapters/duckdb/table-store.test.ts';
const postgres = 'src/adapters/postgres/table-store.postgres.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'no import starts while a replay runs',
    file: 'src/core/progress/import.ts',
    from: "  if (progress.replaying !== undefined) return refused('a replay runs');\n",
    to: '',
    test: { file: replays, title: 'D3: a replay takes the next number, alone' },
  },
  {
    rule: 'no replay starts while an import runs',
    file,
    from: 'if (progress.importing !== undefined || progress.replaying !== undefined)',
    to: 'if (progress.replaying !== undefined)',
    test: { file: replays, title: 'D3: a replay takes the next number, alone' },
  },
  {
    rule: 'a replay is made of the mapping in use',
    file,
    from: 'if (batch.mappingVersion !== progress.mappingVersion)',
    to: 'if (batch.mappingVersion > progress.mappingVersion)',
    test: { file: replays, title: 'D7: its rows are of the mapping in use when it starts' },
  },
  {
    rule: 'the stamp of a replay is above the floor',
    file,
    from: 'if (stamp < progress.floor)',
    to: 'if (stamp < 0)',
    test: { file: replays, title: 'D2: a replay whose stamp lies below the floor is refused' },
  },
  {
    rule: 'a replay that runs names its objects',
    file: 'src/core/progress/seal.ts',
    from: 'for (const object of [rowsObject, lettersObject])',
    to: 'for (const object of [rowsObject])',
    test: { file: replays, title: 'D2: the objects of a replay that runs are needed' },
  },
  {
    rule: 'a replay takes no more letters than were counted',
    file,
    from: 'if (rows + filtered > dead)',
    to: 'if (rows > dead)',
    test: { file: replays, title: 'D4: a replay takes no more letters of a partition than it has counted' },
  },
  {
    rule: 'an incarnation is not spent while a replay of it runs',
    file: 'src/core/progress/switch.ts',
    from: ' || replaying !== undefined ||',
    to: ' ||',
    test: { file: replays, title: 'a deleted incarnation starts none, and is not spent while one runs' },
  },
  {
    rule: 'letters that were filtered are dead no more',
    file,
    from: 'dead: before.dead - rows - filtered,',
    to: 'dead: before.dead - rows,',
    test: { file: replays, title: 'D4: letters are counted as dead until the replay is finished' },
  },
  {
    rule: 'the ledger is compared while a replay runs',
    file: 'src/core/accounts/ledger-witness.ts',
    from: 'loads: replayedCounts(replaying)',
    to: 'loads: { rows: 0, dead: 0 }',
    test: { file: replays, title: 'D4: the ledger agrees before, while it runs' },
  },
  {
    rule: 'a finished replay is that of its number',
    file,
    from: "  if (replaying === undefined || !isAttempt(replaying, attempt)) return outdated('another replay, or none, runs');\n  const totals",
    to: "  if (replaying === undefined) return outdated('another replay, or none, runs');\n  const totals",
    test: { file: replays, title: 'D3: a verdict ends its own attempt only' },
  },
  {
    rule: 'the number after a replay that was given up is one higher',
    file,
    from: '  return { ...rest, nextImport: replaying.number + 1, ...counted };',
    to: '  return { ...rest, nextImport: replaying.number, ...counted };',
    test: { file: replays, title: 'D2: a replay that was given up leaves the letters as they are' },
  },
  {
    rule: 'letters that are not all there are not taken',
    file,
    from: 'return deleted === named;',
    to: 'return deleted <= named;',
    test: { file: replays, title: 'D3: letters that were not all there, each once, are not taken' },
  },
  {
    rule: 'a replay that was stopped begins no batch',
    file: 'src/core/progress/replay-order.ts',
    from: "return replay?.id === id && replay.state === 'running';",
    to: 'return replay?.id === id;',
    test: { file: replays, title: 'a replay that was stopped begins no batch' },
  },
  {
    rule: 'a batch is counted by the place where its letters were read',
    file,
    from: "  if (!isSamePlace(progress.replay.after, from)) return outdated('the replay has gone on');\n",
    to: '',
    test: { file: replays, title: 'D4: each batch is counted once in its replay' },
  },
  {
    rule: 'a letter that does not keep all of its event is no event',
    file: 'src/mapping/letter-event.ts',
    from: 'if (named === undefined || named[idHeader] !== cells.event_id) return undefined;',
    to: 'if (named === undefined) return undefined;',
    test: { file: 'src/mapping/letter-event.test.ts', title: 'a letter that is not all of the event is no event' },
  },
  {
    rule: 'a letter says who sent its event',
    file: 'src/mapping/mapped-event.ts',
    from: '      reservedHeaders.remoteAddress,\n      remoteAddress,\n',
    to: '',
    test: { file: 'src/mapping/letter-event.test.ts', title: 'D7: a mapping sees in a dead letter the event' },
  },
  {
    rule: 'the letters that became rows go in the transaction of the rows',
    file: importer,
    from: '      replaced: { letters: [await content(lettersObject)], expected: -dead },\n',
    to: '',
    test: { file: importerTest, title: 'D3, D4: makes rows of those that keep their event' },
  },
  {
    rule: 'a batch whose letters are gone is given up',
    file: importer,
    from: "if (error.code === 'table.lettersGone' || replay?.id",
    to: 'if (replay?.id',
    test: { file: importerTest, title: 'D3: whose letters somebody purges meanwhile' },
  },
  {
    rule: 'a batch that fails is given up when its replay was stopped',
    file: importer,
    from: " || replay.state !== 'running')",
    to: ')',
    test: { file: importerTest, title: 'that is stopped while its batch fails is given up' },
  },
  {
    rule: 'a batch that does not fit its table is given up',
    file: importer,
    from: "if (kind === 'misfit' || kind === 'rights') return true;",
    to: "if (kind === 'rights') return true;",
    test: { file: importerTest, title: 'D6: whose table is gone fails with the reason' },
  },
  {
    rule: 'a letter that does not keep its event is not mapped',
    file: 'src/stages/import/letter-batch.ts',
    from: "outcomes[at] === 'row' || outcomes[at] === 'filtered')",
    to: "outcomes[at] !== 'refused')",
    test: { file: importerTest, title: 'D3, D4: makes rows of those that keep their event' },
  },
  {
    rule: 'a document with a replay is of a later format',
    file: 'src/documents/progress-document.ts',
    from: ' || hasUnpacked(progress) || progress.replaying !== undefined,',
    to: ' || hasUnpacked(progress),',
    test: {
      file: 'src/documents/progress-document.test.ts',
      title: 'U2: a progress document has a later format once letters of it were replayed',
    },
  },
  {
    rule: 'DuckDB deletes the letters that make way in the transaction of the rows, or loads nothing',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: '  requireTaken(request, deleted);\n',
    to: '',
    test: { file: duckdb, title: 'D3: loads nothing, deletes nothing and is table.lettersGone when one is not there' },
  },
  {
    rule: 'the names of letters that make way are compared while DuckDB reads them',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: 'checkFiles([...rows.unchecked, ...dead.unchecked, ...letters.unchecked], signal)',
    to: 'checkFiles([...rows.unchecked, ...dead.unchecked], signal)',
    test: { file: duckdb, title: 'D2: of altered keys it deletes nothing' },
  },
  {
    rule: 'DuckDB counts the letters that make way',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: '(hasDead ? await loadDead(connection, dead, request) : 0) - deleted',
    to: '(hasDead ? await loadDead(connection, dead, request) : 0)',
    test: { file: duckdb, title: 'D3: its rows come, the letters go and the ledger moves' },
  },
  {
    rule: 'DuckDB deletes letters of one incarnation only',
    file: 'src/adapters/duckdb/dead-letters.ts',
    from: "`DELETE FROM ${table} WHERE ${cellOf('incarnation')} = $1\n",
    to: '`DELETE FROM ${table} WHERE $1 IS NOT NULL\n',
    test: { file: duckdb, title: 'D3: its rows come, the letters go and the ledger moves' },
  },
  {
    rule: 'a letter is known by its event id, too',
    file: 'src/core/dead-letter.ts',
    from: "letterKeyColumns = ['partition', 'offset', 'event_id'] as const",
    to: "letterKeyColumns = ['partition', 'offset', 'offset'] as const",
    test: { file: duckdb, title: 'D3: its rows come, the letters go and the ledger moves' },
  },
  {
    rule: 'PostgreSQL deletes the letters that make way, or loads nothing',
    file: 'src/adapters/postgres/import-slices.ts',
    from: '    requireTaken(this.#request, deleted);\n',
    to: '',
    test: {
      file: postgres,
      title: 'D3: loads nothing, deletes nothing and is table.lettersGone when one is not there',
    },
  },
  {
    rule: 'PostgreSQL deletes letters of one incarnation only',
    file: 'src/adapters/postgres/dead-letters.ts',
    from: 'WHERE d.incarnation = $1 AND ',
    to: 'WHERE $1 IS NOT NULL AND ',
    test: { file: postgres, title: 'D3: its rows come, the letters go and the ledger moves' },
  },
  {
    rule: 'letters come in the order of numbers',
    file: 'src/adapters/letters-behind.ts',
    from: "return `${number('partition')}, ${number('offset')}, ",
    to: "return `${text('partition')}, ${text('offset')}, ",
    test: { file: duckdb, title: 'come in the order of partition, offset and id, numbers as numbers' },
  },
];
