import type { Mutation } from './mutation.ts';

/** Imports, and the collector of what nobody needs. */

const importer = 'src/stages/import/sink-importer.test.ts';
const collector = 'src/stages/import/collector.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'D3: an import ends before the table is dropped that it loads into',
    file: 'src/control/operations/erase-source.ts',
    from: 'for (const one of imports) await endImport(parts.ledger, one, options);',
    to: '',
    test: { file: 'src/control/cascade.test.ts', title: 'D3: an import that runs is over before' },
  },
  {
    rule: 'D3: an import that runs ends, too, where the table is gone already',
    file: 'src/control/operations/erase-source.ts',
    from: 'if (identity === undefined && imports.length === 0) continue;',
    to: 'if (identity === undefined) continue;',
    test: { file: 'src/control/cascade.test.ts', title: 'D3: an import into a table that is gone already' },
  },
  {
    rule: 'D3: an import that stands elsewhere in its ledger keeps no table from being dropped',
    file: 'src/control/operations/running-imports.ts',
    from: "if (MillraceError.fromUnknown(thrown).code !== 'table.ledgerMismatch') throw thrown;",
    to: 'throw thrown;',
    test: { file: 'src/control/cascade.test.ts', title: 'D3: an import that runs is over before' },
  },
  {
    rule: 'D3: a replay of dead letters ends before the table is dropped that it loads into',
    file: 'src/control/operations/running-imports.ts',
    from: 'replaying === undefined ? []',
    to: 'replaying?.number !== 0 ? []',
    test: { file: 'src/control/cascade.test.ts', title: 'D3: a replay that runs is over before' },
  },
  {
    rule: 'D3: no import begins into a table that was dropped while it was looked at',
    file: 'src/stages/import/sink-importer.ts',
    from: 'if (document.dropped?.includes(mapping.tableId) === true)',
    to: 'if (document.dropped?.length === 0)',
    test: { file: 'test/integration/dropped-tables.test.ts', title: 'D3: an import that has looked at its table' },
  },
  {
    rule: 'D3: an import begins with slices of the mapping whose table was looked at',
    file: 'src/stages/import/sink-importer.ts',
    from: 'if (document.staged[0]?.mappingVersion !== mapping.version)',
    to: 'if (document.staged.length === 0)',
    test: { file: 'src/stages/import/altered-tables.test.ts', title: 'D3: what is imported is of the mapping' },
  },
  {
    rule: 'an interval of step 2 fires though nothing else happens',
    file: 'src/stages/import/sink-importer.ts',
    from: 'return isDue ? now : trigger.deadline(stagedState(progress, since), now);',
    to: 'return isDue ? now : undefined;',
    test: { file: importer, title: 'D5: imports when the interval has passed since something was staged' },
  },
  {
    rule: 'a trigger with another threshold is another trigger',
    file: 'src/core/trigger.ts',
    from: 'this.slices === slices',
    to: 'slices > 0',
    test: { file: 'src/core/trigger.test.ts', title: 'another slices makes another trigger' },
  },
  {
    rule: 'the trigger of the page says what that of the import does',
    file: 'src/api/views/progress-view.ts',
    from: 'slices: size.slices,',
    to: 'slices: 0,',
    test: { file: 'src/api/views/progress-view.test.ts', title: 'the next import is now when as many slices' },
  },
  {
    rule: 'what fails again and again is tried more and more rarely',
    file: 'src/stages/status/status-board.ts',
    from: 'retry.pauseMs(this.attempts(at) + 1)',
    to: 'retry.pauseMs(1)',
    test: {
      file: 'src/stages/status/status-board.test.ts',
      title: 'D6: is tried again later with each failure in a row',
    },
  },
  {
    rule: 'an old copy of the document asks for nothing',
    file: 'src/stages/import/sink-importer.ts',
    from: 'if (held.revision < this.#document.newest) return',
    to: 'if (held.revision < 0) return',
    test: { file: importer, title: 'a copy of the document that is older than what was read asks for nothing, unless' },
  },
  {
    rule: 'an importer goes on when the catalog was brought back to an older document',
    file: 'src/stages/import/sink-importer.ts',
    from: 'return Math.max(this.#endedAt + limits.oldCopyMs, this.#retryAt);',
    to: 'return undefined;',
    test: { file: 'test/integration/restored-stores.test.ts', title: 'D2, D3, D5: what was sealed since' },
  },
  {
    rule: 'a reader goes by the document that the catalog was brought back to',
    file: 'src/stages/stage/partition-reader.ts',
    from: '!isWhole && document.revision <=',
    to: 'document.revision <=',
    test: { file: 'test/integration/restored-stores.test.ts', title: 'D2, D3, D5: what was sealed since' },
  },
  {
    rule: 'a replica says that it was told all that there is',
    file: 'src/stages/replica/replica.ts',
    from: 'isWhole: changes.complete };',
    to: 'isWhole: false };',
    test: { file: 'test/integration/restored-stores.test.ts', title: 'D2, D3, D5: what was sealed since' },
  },
  {
    rule: 'the floor goes up before anything is deleted',
    file: 'src/stages/import/collector.ts',
    from: 'transition: (progress) => raiseFloor(progress, this.#reach(incarnation, progress.floor, found)),',
    to: 'transition: (progress) => raiseFloor(progress, progress.floor),',
    test: { file: collector, title: 'D2: before anything is deleted no seal with such a stamp is accepted any more' },
  },
  {
    rule: 'what a document names stays',
    file: 'src/stages/import/collector.ts',
    from: '&& !named.has(name))',
    to: '&& !named.has(`${name}.`))',
    test: { file: collector, title: 'D2: an object that a document names stays, however old' },
  },
  {
    rule: 'what may still become named stays',
    file: 'src/stages/import/collector.ts',
    from: 'stamp < floor && ',
    to: '',
    test: { file: collector, title: 'D2, D8: what was staged after a clock was ahead goes' },
  },
  {
    rule: 'a floor that is ahead of the clock goes up when it has stood for a lease',
    file: 'src/stages/import/collector.ts',
    from: 'return this.#hasStood(incarnation, floor) ? floor + limits.uploadLeaseMs : floor;',
    to: 'return floor;',
    test: { file: collector, title: 'D2, D8: what was staged after a clock was ahead goes' },
  },
  {
    rule: 'a floor that is ahead of the clock stands for a whole lease before it goes up',
    file: 'src/stages/import/standing-floors.ts',
    from: 'return monotonic - seen.since > limits.uploadLeaseMs;',
    to: 'return monotonic - seen.since > limits.uploadLeaseMs / 2;',
    test: { file: collector, title: 'D2, D8: what was staged after a clock was ahead goes' },
  },
  {
    rule: 'a floor that another process has raised stands anew',
    file: 'src/stages/import/standing-floors.ts',
    from: 'if (seen?.floor === floor)',
    to: 'if (seen !== undefined)',
    test: { file: collector, title: 'D2, D8: what was staged after a clock was ahead goes' },
  },
  {
    rule: 'what a deleted sink left under names that are ahead of the clock goes',
    file: 'src/stages/import/collector.ts',
    from: '? Number.POSITIVE_INFINITY : below',
    to: '? below : below',
    test: {
      file: collector,
      title: 'D8: what is left of a sink that is gone goes, though its names are ahead of the clock',
    },
  },
  {
    rule: 'one document that cannot be read keeps no other from being cleaned up',
    file: 'src/stages/import/collector.ts',
    from: 'failures.push(thrown);',
    to: 'throw thrown;',
    test: { file: collector, title: 'D6: a document that cannot be read keeps its own objects, and only those' },
  },
];
