import type { Mutation } from './mutation.ts';

const model = {
  file: 'src/core/progress/sink-progress.prop.test.ts',
  title: 'U1: every transition keeps what a newer release wrote into a part that stays',
};
const change = 'src/documents/change-document.test.ts';
const kind = 'src/documents/document-kind.ts';
const unusable = 'test/integration/unusable-documents.test.ts';
const beside = 'test/integration/newer-release.test.ts';

/** What old and new releases leave of each other's documents. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'U2: another value that a field may have raises the format',
    file: 'src/core/source.ts',
    from: "sourceTypes = ['http', 'otlp'] as const",
    to: "sourceTypes = ['http', 'otlp', 'other'] as const",
    test: { file: 'src/documents/formats.test.ts', title: 'U2: what an older release could not read' },
  },
  {
    rule: 'U1: a sink that is closed keeps what else stands in its interval',
    file: 'src/core/progress/switch.ts',
    from: '{ ...last, end }]',
    to: '{ start: last.start, end }]',
    test: model,
  },
  {
    rule: 'U1: a seal advances the entry of the document, not what the reader knew of it',
    file: 'src/core/progress/seal.ts',
    from: 'advance(entry, change)',
    to: 'advance({ ...base, torn: { low: base.torn.low, end: base.torn.end } }, change)',
    test: model,
  },
  {
    rule: 'U1: the status of a sink is written over what it was',
    file: 'src/stages/status/status-board.ts',
    from: 'return merged(kept, status);',
    to: 'return status;',
    test: { file: beside, title: 'U1: what keeps a sink from being served is told beside a newer release' },
  },
  {
    rule: 'U1: the proofs of age are written over what they were',
    file: 'src/stages/retain/proven-ages.ts',
    from: 'withChanges(found, { before, after })',
    to: '{ ranMs: after.ranMs, doubtedUntilMs: after.doubtedUntilMs, topics: after.topics }',
    test: {
      file: beside,
      title: 'U1: what an installation knows of its stores and its time is kept beside a newer release',
    },
  },
  {
    rule: 'U1: the end of a task is written over its beginning',
    file: 'src/control/tasks/task-runner.ts',
    from: 'merged(before, task)',
    to: 'task',
    test: {
      file: beside,
      title: 'U1: operations leave what a newer release wrote into the documents that they change',
    },
  },
  {
    rule: 'U2: what only newer releases may write is not written',
    file: kind,
    from: 'oldestWriter <= this.format.version;',
    to: 'oldestWriter <= this.format.version + 9;',
    test: { file: change, title: 'U2: one that only newer releases may write is read, and not written: change' },
  },
  {
    rule: 'U2: a document of a newer release keeps its format',
    file: kind,
    from: 'return formatOf(document).version < this.format.version',
    to: 'return this.format.version > 1',
    test: { file: change, title: 'U2: one that a newer release lets older ones write keeps its format and its fields' },
  },
  {
    rule: 'U3: after an unclear answer it is looked whether the write has happened',
    file: 'src/documents/change-document.ts',
    from: 'if (unclear !== undefined && isDeepStrictEqual(found?.value, unclear.stored))',
    to: 'if (unclear !== undefined && found === undefined)',
    test: { file: change, title: 'U3: finds that it has happened, after an answer that got lost' },
  },
  {
    rule: 'U1: an operation changes the document that stands, not the one that it read',
    file: 'src/control/store/write-document.ts',
    from: 'found && withChanges(found, made);\n  await changeSink',
    to: 'found && made.after;\n  await changeSink',
    test: {
      file: beside,
      title: 'U1: what a newer release writes between the reading and the writing of an operation stays',
    },
  },
  {
    rule: 'U1: what comes back is what was deleted',
    file: 'src/control/operations/prepare-sink.ts',
    from: '    ...kept,\n',
    to: '',
    test: { file: beside, title: 'U1: what comes back has the fields that a newer release had given it' },
  },
  {
    rule: 'U3: a part that others have changed meanwhile is not put back',
    file: 'src/documents/with-changes.ts',
    from: 'areParts ? changed',
    to: 'areParts && false ? changed',
    test: {
      file: 'src/documents/with-changes.test.ts',
      title: 'U3: what others have written meanwhile stays, at every depth',
    },
  },
  {
    rule: 'U2: what a newer release tells keeps no stage from starting',
    file: 'src/stages/status/status-board.ts',
    from: 'sinkStatusDocuments.tryParse(value)',
    to: 'sinkStatusDocuments.parse(value)',
    test: {
      file: 'src/stages/status/status-board.test.ts',
      title: 'U2: sweeps beside what a newer release tells in a way of its own',
    },
  },
  {
    rule: 'U2: an incarnation whose progress cannot be read is one that is known',
    file: 'src/control/operations/sweep.ts',
    from: 'new Set<number>(unread.map(({ id }) => Number(id)))',
    to: 'new Set<number>()',
    test: {
      file: unusable,
      title: 'U2: no incarnation is discarded whose progress cannot be read',
    },
  },
  {
    rule: 'U2: what may not be changed keeps nothing else from being put right',
    file: 'src/control/store/unless-unusable.ts',
    from: 'if (!isUnusable(thrown)) throw thrown;',
    to: 'if (isUnusable(thrown)) throw thrown;',
    test: { file: unusable, title: 'U2: what a process left is put right but for what a newer release wrote' },
  },
  {
    rule: 'U2: no object goes that a newer release may need',
    file: 'src/stages/replica/progress-document.ts',
    from: '    if (before !== undefined) progressDocuments.requireWritable(before, place.id);\n',
    to: '',
    test: {
      file: 'src/stages/import/collector.test.ts',
      title:
        'U2: nothing goes of a sink whose document only a newer release may write: it may name objects in a way of its own',
    },
  },
  {
    rule: 'U2: nothing is mapped by a document that only a newer release may write',
    file: 'src/stages/map/sink-cursor.ts',
    from: ' || !progressDocuments.isWritable(this.#progress)',
    to: '',
    test: {
      file: unusable,
      title: 'U2: a sink whose progress only a newer release may write is left to that one, and says so',
    },
  },
  {
    rule: 'U2: nothing is mapped by an old copy of a document of a newer release',
    file: 'src/stages/replica/replica.ts',
    from: 'isNewer && this.#options.dropsNewer === true && ',
    to: 'false && ',
    test: {
      file: unusable,
      title: 'U2: a sink whose progress only a newer release may write is left to that one, and says so',
    },
  },
  {
    rule: 'U2: no topic goes of a source that only a newer release may write',
    file: 'src/stages/retain/retired-topics.ts',
    from: '    sourceDocuments.requireWritable(source, place.id);\n',
    to: '',
    test: {
      file: 'src/stages/retain/retired-topics.test.ts',
      title:
        'U2: the topic of a source stays that only a newer release may write, and of a sink that nobody here can read',
    },
  },
  {
    rule: 'U2: no topic goes of a sink that cannot be read',
    file: 'src/stages/retain/retired-topics.ts',
    from: '    for (const { value } of unread) requireNotOf(topic, value);\n',
    to: '',
    test: {
      file: 'src/stages/retain/retired-topics.test.ts',
      title:
        'U2: the topic of a source stays that only a newer release may write, and of a sink that nobody here can read',
    },
  },
  {
    rule: 'U2: no record goes that a newer release may need',
    file: 'src/stages/retain/unread-documents.ts',
    from: '  for (const held of newer) unread.set(held.id, held);\n',
    to: '',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'U2: keeps what a sink may need whose document only a newer release may write',
    },
  },
  {
    rule: 'U2: retention goes on beside the ages of a newer release',
    file: 'src/stages/retain/proven-ages.ts',
    from: 'if (!isUnusable(thrown)) throw thrown;',
    to: 'if (isUnusable(thrown)) throw thrown;',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'U2: what a newer release keeps of the ages is left to it, and retention goes on',
    },
  },
  {
    rule: 'D8: samples of a topic go with the topic',
    file: 'src/stages/retain/proven-ages.ts',
    from: 'withChanges(found, { before, after })',
    to: '({ ...after, topics: { ...found.topics, ...after.topics } })',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'D8: samples of a topic go with the topic, also those of an earlier process',
    },
  },
  {
    rule: 'U2: a mark is not written anew that says the same version',
    file: kind,
    from: 'return formatOf(document).version < this.format.version',
    to: 'return formatOf(document).version <= this.format.version',
    test: {
      file: change,
      title: 'U2: a mark of the same version keeps what a newer release wrote into it, and a higher oldest writer',
    },
  },
  {
    rule: 'U2: what was made is known again by what it is written as',
    file: kind,
    from: 'isDeepStrictEqual(plain(this.sealed(found)), plain(this.sealed(document)))',
    to: 'isDeepStrictEqual(plain(found), plain(document))',
    test: { file: change, title: 'U2: what was made is known again, with its format' },
  },
  {
    rule: 'U2: nothing is removed that only newer releases may write',
    file: 'src/documents/change-document.ts',
    from: '  kind.requireWritable(value, id);\n',
    to: '',
    test: { file: change, title: 'U2: one that only newer releases may write is not removed because it is unchanged' },
  },
  {
    rule: 'U2: the API says what to do about a document of a newer release',
    file: 'src/api/errors/refusal-of-code.ts',
    from: "  'catalog.newerDocument': busy,\n",
    to: '',
    test: {
      file: unusable,
      title: 'U2: the API says which document it cannot read, or may not change, and what to do',
    },
  },
  {
    rule: 'U2: a sink that cannot be read keeps nobody from changing its source',
    file: 'src/control/audit/audited-definition.ts',
    from: 'const { documents } = await listReadable(catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);',
    to: 'const { documents, unread } = await listReadable(catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);\n  if (unread.length > 0) throw new Error();',
    test: {
      file: unusable,
      title: 'U2: the API says which document it cannot read, or may not change, and what to do',
    },
  },
  {
    rule: 'U1: an answer names what it shows',
    file: 'src/api/views/stamp-view.ts',
    from: 'return { at, by: byView(by) };',
    to: 'return { at, by };',
    test: { file: beside, title: 'U1: no answer shows what a newer release wrote' },
  },
  {
    rule: 'U2: a seat of newer releases lets this one serve reads',
    file: 'src/control/seat/seat-keeper.ts',
    from: 'if (isTheirs) this.#becomeReady();',
    to: '',
    test: { file: unusable, title: 'U2: a process serves reads where only a newer release may take the seat' },
  },
  {
    rule: 'U2: what a newer release noted keeps no other note waiting',
    file: 'src/stages/import/import-history.ts',
    from: 'if (isUnusable(thrown)) continue;',
    to: '',
    test: {
      file: 'src/stages/import/import-history.test.ts',
      title: 'U2: what a newer release noted of an import keeps no other note waiting',
    },
  },
  {
    rule: 'U2: what a newer release tells keeps nothing else from being told',
    file: 'src/stages/status/status-board.ts',
    from: 'if (isUnusable(thrown)) continue;',
    to: '',
    test: {
      file: 'src/stages/status/status-board.test.ts',
      title: 'U2: what a newer release tells of a sink keeps that of no other waiting',
    },
  },
  {
    rule: 'U2: no token goes that a newer release may need',
    file: 'src/control/operations/sink-token.ts',
    from: ' || !progressDocuments.isWritable(progress)',
    to: '',
    test: {
      file: 'src/control/operations/sink-token.test.ts',
      title: 'U2: a sink has something left as long as only a newer release may write its progress',
    },
  },
  {
    rule: 'U4: a catalog of an older release becomes one of this',
    file: 'src/documents/change-document.ts',
    from: 'kind.isOlder(before) ? before : undefined',
    to: 'undefined',
    test: {
      file: change,
      title: 'U4: a document that is ensured has the format of this release, or a newer one that lets it',
    },
  },
  {
    rule: 'U4: no process starts on a catalog of newer releases only',
    file: 'src/stages/claims/store-claims.ts',
    from: " || failure.code === 'catalog.newerDocument'",
    to: '',
    test: {
      file: 'src/stages/claims/store-claims.test.ts',
      title: 'U4: a catalog of newer releases only lets no process of this one start',
    },
  },
  {
    rule: 'D2: statistics of a document that does not say whose it is are told as not cleared',
    file: 'src/control/operations/clear-statistics.ts',
    from: 'key === undefined || isMeant(key)',
    to: 'key !== undefined && isMeant(key)',
    test: {
      file: 'src/control/statistics.test.ts',
      title: 'D2, D6: a document that cannot be read keeps no other sink',
    },
  },
];
