import { crc32Checksum } from '../core/checksum.ts';
import { numberNames } from '../core/accounts/sink-numbers.ts';
import { tableType } from '../core/sink.ts';
import { withNewerFieldsEverywhere } from '../../test/support/newer-release.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configurationDocuments } from './configuration-document.ts';
import { jobDocuments } from './job-document.ts';
import { jobEventDocuments } from './job-event-document.ts';
import { jobProgressDocuments } from './job-progress-document.ts';
import { counterDocuments } from './counter-document.ts';
import type { DocumentKind } from './document-kind.ts';
import { missingServersDocuments } from './missing-servers-document.ts';
import { installationDocuments } from './installation-document.ts';
import { retentionAgesDocuments } from './retention-ages-document.ts';
import { sampleDocuments } from './sample-document.ts';
import { scheduleDocuments } from './schedule-document.ts';
import { seatDocuments } from './seat-document.ts';
import { clockJumpsDocuments } from './clock-jumps-document.ts';
import { earlierIncarnationDocuments } from './earlier-incarnation-document.ts';
import { importNoteDocuments } from './import-note-document.ts';
import { mappingDocuments } from './mapping-document.ts';
import { progressDocuments } from './progress-document.ts';
import { sinkDocuments } from './sink-document.ts';
import { auditDocuments } from './audit-document.ts';
import { sinkStatusDocuments } from './sink-status-document.ts';
import { sourceDocuments } from './source-document.ts';
import { taskDocuments } from './task-document.ts';
import { tokenDocuments } from './token-document.ts';
import { sinkVersionDocuments, sourceVersionDocuments } from './version-document.ts';
import { anyColumn } from '../../test/support/any-column.ts';

const positive = fc.integer({ min: 1 });
const count = fc.maxSafeNat();
const text = fc.string();
const name = fc.string({ minLength: 1 });
const time = fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
const optional = { requiredKeys: [] as [] };
const by = fc
  .tuple(fc.constantFrom('user', 'system'), fc.record({ tokenId: text, tokenDesc: text }, optional))
  .map(([type, rest]) => ({ type, ...rest }));
const stamp = { at: time, by };
const version = fc.record({ ...stamp, number: positive, hash: text, description: text });
const disabled = fc.record({ ...stamp, reason: text, withSource: fc.boolean() });
const deleted = fc.record({ ...stamp, withSource: fc.boolean() });
const key = fc.stringMatching(/^[a-z][a-z.]{0,20}$/);
const settings = fc.dictionary(key, fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text)), { maxKeys: 4 });
const signalsOf = fc.uniqueArray(fc.constantFrom('logs', 'metrics', 'traces'));
const column = anyColumn({ name: text, path: name, defaultValue: text, template: name });

/** A record whose keys of `more` may be absent. */
function document<Base extends object>(base: fc.Arbitrary<Base>, more: Record<string, fc.Arbitrary<unknown>>) {
  return fc.tuple(base, fc.record(more, optional)).map(([always, sometimes]) => ({ ...always, ...sometimes }));
}

const definition = {
  branchId: positive,
  sourceId: name,
  name: text,
  description: text,
  settings,
  version,
  created: fc.record(stamp),
};

const source = document(
  fc.record({
    ...definition,
    type: fc.constantFrom('http', 'otlp'),
    secrets: fc.array(document(fc.record({ text: name }), { validUntil: count })),
    topic: name,
    topicIdentity: name,
    partitions: positive,
    incarnation: positive,
  }),
  {
    disabled,
    deleted,
    erased: fc.record({
      tables: fc.array(document(fc.record({ tableId: name }), { identity: text })),
      isDone: fc.boolean(),
    }),
    retired: fc.array(fc.record({ name, identity: name })),
  },
);

const sink = document(
  fc.record({
    ...definition,
    sinkId: name,
    type: fc.constant('table'),
    allowedSignals: signalsOf,
    table: fc.record({ type: fc.constant(tableType), tableId: name, columns: fc.array(column) }),
    incarnation: positive,
    mappingVersion: positive,
  }),
  { disabled, deleted, tokenId: name, returnsWith: positive },
);

const sourceVersion = fc.record({
  version,
  definition: fc.record({ type: fc.constantFrom('http', 'otlp'), name: text, description: text, settings }),
});

const sinkVersion = fc.record({
  version,
  definition: fc.record({
    type: fc.constant('table'),
    name: text,
    description: text,
    allowedSignals: signalsOf,
    table: fc.record({ type: fc.constant(tableType), tableId: name, columns: fc.array(column) }),
    settings,
  }),
});

const mapping = document(
  fc.record({
    incarnation: positive,
    version: positive,
    tableId: name,
    columns: fc.array(column),
    allowedSignals: signalsOf,
  }),
  { follows: positive, altered: fc.record({ renamed: fc.array(fc.record({ from: text, to: text })) }) },
);

const status = document(
  fc.record({
    incarnation: positive,
    role: fc.constantFrom('map', 'stage', 'import'),
    code: name,
    message: text,
    since: time,
    lastTryAt: time,
    nextTryAt: time,
    attempts: count,
  }),
  { partitions: fc.array(count) },
);

const taskBase = { taskId: name, type: name, branchId: positive, sourceId: name, createdAt: time, owner: text };
const outputs = fc.record(
  { url: text, projectId: positive, branchId: positive, sourceId: text, sinkId: text },
  optional,
);
const ended = { ...taskBase, finishedAt: time, duration: count, outputs };
const task = document(
  fc.oneof(
    fc.record({ ...taskBase, status: fc.constant('processing') }),
    fc.record({ ...ended, status: fc.constant('success'), result: text }),
    fc.record({ ...ended, status: fc.constant('error'), error: text }),
  ),
  { sinkId: name },
);

const partition = fc.nat({ max: 99 }).map(String);
const position = fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER });
const entry = fc.record(
  {
    sink: count,
    source: position,
    intervals: fc.array(fc.record({ start: count, end: fc.option(count) }), { maxLength: 3 }),
    torn: fc.record({ low: count, end: count, lost: count }, { requiredKeys: ['low', 'end'] }),
    epoch: count,
    cut: count,
  },
  { requiredKeys: ['sink', 'source', 'intervals', 'torn'] },
);
const totals = fc.record({
  passed: count,
  rows: count,
  dead: count,
  filtered: count,
  holes: count,
  none: count,
  givenUp: count,
});
const checksum = fc.nat(0xffffffff).map(crc32Checksum);
const object = document(fc.record({ name, bytes: count }), { checksum });
const sliceFields = {
  id: name,
  partition: fc.nat(),
  mappingVersion: positive,
  from: position,
  to: count,
  rows: count,
  dead: count,
  firstArrival: count,
  lastArrival: count,
  stagedAt: count,
};
const failing = fc.record({ code: name, since: count, provenMs: count });
const objects = { rowsObject: object, deadObject: object, together: positive, failing };
const damage = fc.record({ code: name, message: fc.string() });
const slice = document(fc.record(sliceFields), objects);
const imported = document(fc.record({ rows: count, dead: count, bytes: count, unsized: count, fromImport: positive }), {
  firstArrival: count,
  lastArrival: count,
});
const sinkKey = fc.record({ branchId: positive, sourceId: name, sinkId: name });
const earlierIncarnation = fc.record({ key: sinkKey, incarnation: positive, imported });
const passedInterval = fc.record({ start: count, end: count });
const progress = document(
  fc.record({
    key: sinkKey,
    incarnation: positive,
    topics: fc.record({ source: name, sourceIdentity: name, sink: name, sinkIdentity: name }),
    mappingVersion: positive,
    entries: fc.dictionary(partition, entry, { maxKeys: 3 }),
    totals: fc.dictionary(partition, totals, { maxKeys: 3 }),
    staged: fc.array(slice, { maxLength: 3 }),
    parked: fc.array(
      document(fc.record({ ...sliceFields, parkedAt: count }), { ...objects, damage, openedAt: count }),
      {
        maxLength: 2,
      },
    ),
    nextImport: positive,
    floor: count,
    open: fc.boolean(),
    deleted: fc.boolean(),
  }),
  {
    importing: document(
      fc.record({ number: positive, id: name, slices: fc.array(slice, { maxLength: 2 }), startedAt: count }),
      { openedAt: count },
    ),
    filesOpened: fc.dictionary(partition, count, { maxKeys: 3 }),
    mappedWith: fc.dictionary(partition, positive, { maxKeys: 3 }),
    flush: fc.dictionary(partition, count, { maxKeys: 2 }),
    dropped: fc.array(name, { maxLength: 2 }),
    passedIntervals: fc.dictionary(partition, fc.array(passedInterval, { maxLength: 2 }), { maxKeys: 2 }),
    acknowledgedHoles: count,
    lastImport: document(fc.record({ number: positive, at: count, rows: count, dead: count, bytes: count }), {
      rowBytes: count,
      startedAt: count,
      openedAt: count,
      firstArrival: count,
      lastArrival: count,
    }),
    imported,
  },
);

const scope = fc.oneof(
  fc.record({ kind: fc.constantFrom('admin', 'readOnly') }),
  fc.record({
    kind: fc.constant('limited'),
    canManageBuckets: fc.boolean(),
    componentAccess: fc.subarray(['generic-extractor', 'variables', 'shared-code']),
    readBuckets: fc.array(text),
    writeBuckets: fc.array(text),
  }),
  fc.record({
    kind: fc.constant('sink'),
    sink: fc.record({ branchId: positive, sourceId: name, sinkId: name }),
    incarnation: positive,
    writeBuckets: fc.array(text),
    canReadAllFileUploads: fc.boolean(),
  }),
);
const token = document(fc.record({ id: name, description: text, scope, hash: name, created: fc.record(stamp) }), {
  refreshedAt: time,
  expiresAt: time,
});

const auditObject = fc.oneof(
  fc.record({ kind: fc.constant('source'), branchId: positive, sourceId: name }),
  fc.record({ kind: fc.constant('sink'), branchId: positive, sourceId: name, sinkId: name }),
  fc.record({ kind: fc.constant('token'), tokenId: name }),
);
const auditFields = { id: name, branchId: positive, operation: name, at: time, by, requestId: text };
/** Its fields are those of a definition. */
const audited = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z]{0,20}$/), fc.jsonValue(), { maxKeys: 3 });
const auditMore = { object: auditObject, taskId: name, before: audited };
const auditEnd = { ...auditFields, finishedAt: time };
const auditEntry = fc.oneof(
  document(fc.record({ ...auditFields, outcome: fc.constant('processing') }), auditMore),
  document(fc.record({ ...auditEnd, outcome: fc.constantFrom('success', 'interrupted') }), {
    ...auditMore,
    after: audited,
  }),
  document(fc.record({ ...auditEnd, outcome: fc.constant('error'), error: text }), { ...auditMore, after: audited }),
);

const importNote = document(
  fc.record({
    incarnation: positive,
    number: positive,
    id: name,
    verdict: fc.constantFrom('loaded', 'abandoned'),
    rows: count,
    dead: count,
    slices: count,
    bytes: count,
    mappingVersion: count,
    startedAt: count,
    finishedAt: count,
    durationMs: count,
  }),
  {
    rowBytes: count,
    openedAt: count,
    firstArrival: count,
    lastArrival: count,
    ranges: fc.array(fc.record({ partition: count, from: count, to: count }), { maxLength: 2 }),
  },
);

const componentId = fc.constantFrom('generic-extractor', 'variables', 'shared-code');
const configurationVersion = fc.record({ ...stamp, number: positive, changeDescription: text });
const configured = {
  name: text,
  description: text,
  configuration: text,
  state: text,
  isDisabled: fc.boolean(),
  version: configurationVersion,
  created: fc.record(stamp),
};
const configuration = document(
  fc.record({
    branchId: positive,
    componentId,
    configurationId: name,
    ...configured,
    rows: fc.array(fc.record({ rowId: name, ...configured }), { maxLength: 2 }),
  }),
  { deleted: fc.record(stamp) },
);

const jobValue = fc.record({ name: text, value: text });
const jobRequest = document(
  fc.record({
    branchId: positive,
    componentId,
    rowIds: fc.array(text),
    mode: fc.constantFrom('run', 'forceRun', 'debug'),
    variableValues: fc.array(jobValue),
  }),
  {
    configurationId: name,
    configurationData: text,
    tag: text,
    variableValuesId: text,
    parentRunId: text,
    scheduledFor: text,
    notBefore: text,
  },
);
const jobRun = fc.record({ attempt: positive, owner: name, startedAt: time });
const jobResult = document(
  fc.record({
    message: text,
    tables: fc.array(fc.record({ tableId: name, columns: fc.array(text), rows: count, bytes: count })),
    variables: fc.array(jobValue),
  }),
  {
    configurationVersion: positive,
    error: fc.record({ type: fc.constantFrom('user', 'application'), exceptionId: text }),
  },
);
const jobFields = { jobId: name, created: fc.record(stamp), request: jobRequest, runId: name };
const endings = fc.constantFrom('success', 'warning', 'error', 'terminated', 'cancelled');
const job = fc.oneof(
  fc.record({ ...jobFields, phase: fc.constantFrom('created', 'waiting') }),
  fc.record({ ...jobFields, phase: fc.constant('running'), run: jobRun, isEnding: fc.boolean() }),
  document(
    fc.record({ ...jobFields, phase: fc.constant('ended'), status: endings, endedAt: time, result: jobResult }),
    { run: jobRun },
  ),
);
const schedule = document(
  fc.record({
    branchId: positive,
    componentId,
    configurationId: name,
    cron: name,
    timeZone: name,
    isEnabled: fc.boolean(),
    variableValues: fc.array(jobValue),
    created: fc.record(stamp),
    updated: fc.record(stamp),
    decidedUntil: time,
    missed: count,
  }),
  {
    variableValuesId: text,
    lastRun: fc.record({ plannedFor: time, at: time, jobId: name, isMade: fc.boolean() }),
    lastMissed: fc.record({
      plannedFor: time,
      at: time,
      reason: fc.constantFrom('nobodyRan', 'stillRunning', 'tooManyJobs'),
    }),
  },
);
const jobEvent = document(
  fc.record({
    eventId: name,
    jobId: name,
    runId: name,
    branchId: positive,
    componentId,
    type: fc.constantFrom('info', 'success', 'warn', 'error'),
    message: text,
    created: time,
  }),
  { configurationId: name },
);
const runProgress = fc.record({
  attempt: positive,
  owner: name,
  pages: fc.nat(),
  rows: fc.nat(),
  bytes: fc.nat(),
  at: time,
});

const numberColumn = fc.constantFrom('', '0', '17 *59', '100 5 *2 -1');
const sampledSink = document(
  fc.record({ branchId: positive, sourceId: name, sinkId: name, incarnation: positive, runs: fc.array(count) }),
  Object.fromEntries(numberNames.map((field) => [field, numberColumn])),
);
const samples = fc.record({ at: numberColumn, sinks: fc.array(sampledSink) });

const all = [
  { collection: 'source', documents: source, kind: sourceDocuments },
  { collection: 'sink', documents: sink, kind: sinkDocuments },
  { collection: 'source-version', documents: sourceVersion, kind: sourceVersionDocuments },
  { collection: 'sink-version', documents: sinkVersion, kind: sinkVersionDocuments },
  { collection: 'mapping', documents: mapping, kind: mappingDocuments },
  { collection: 'progress', documents: progress, kind: progressDocuments },
  { collection: 'import-history', documents: importNote, kind: importNoteDocuments },
  { collection: 'earlier-incarnation', documents: earlierIncarnation, kind: earlierIncarnationDocuments },
  { collection: 'sink-status', documents: status, kind: sinkStatusDocuments },
  { collection: 'task', documents: task, kind: taskDocuments },
  { collection: 'audit', documents: auditEntry, kind: auditDocuments },
  { collection: 'token', documents: token, kind: tokenDocuments },
  { collection: 'configuration', documents: configuration, kind: configurationDocuments },
  { collection: 'job', documents: job, kind: jobDocuments },
  { collection: 'job-event', documents: jobEvent, kind: jobEventDocuments },
  { collection: 'job-progress', documents: runProgress, kind: jobProgressDocuments },
  { collection: 'schedule', documents: schedule, kind: scheduleDocuments },
  { collection: 'sample', documents: samples, kind: sampleDocuments },
] as const;

describe.each(all)('documents of collection $collection', ({ collection, documents, kind }) => {
  test('a document comes back from JSON as it was written', () => {
    fc.assert(
      fc.property(documents as fc.Arbitrary<object>, (written) => {
        const stored: unknown = JSON.parse(JSON.stringify(written));
        expect(kind.parse(stored)).toEqual(stored);
      }),
    );
  });

  test('U1: fields that this release does not know stay, at every depth', () => {
    fc.assert(
      fc.property(documents as fc.Arbitrary<object>, (written) => {
        const newer = withNewerFieldsEverywhere(JSON.parse(JSON.stringify(written)) as object);
        expect(kind.parse(newer)).toEqual(newer);
      }),
      { numRuns: 20 },
    );
  });

  test('another shape is named by collection and path, never by value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => kind.parse(value)).toThrow(`a document of the collection "${collection}" is invalid at "`);
      }),
    );
    fc.assert(
      fc.property(documents as fc.Arbitrary<object>, fc.nat(), (written, choice) => {
        const required = Object.keys(written).filter((one) => one in written && isRequired(one));
        const broken = required[choice % required.length] ?? '';
        expect(() => kind.parse({ ...written, [broken]: { place: 'hunter2' } })).toThrow(`is invalid at "${broken}`);
        expect(() => kind.parse({ ...written, [broken]: { place: 'hunter2' } })).not.toThrow('hunter2');
      }),
    );
  });
});

const instance = '0197c3a0-0000-7000-8000-000000000001';
const ages = { ranMs: 1, doubtedUntilMs: 0, topics: { a: { identity: 'i', partitions: [[{ end: 1, ranMs: 1 }]] } } };

test.each<readonly [string, object, DocumentKind<object>]>([
  [
    'installation',
    { id: instance, claimed: ['tables'], locations: [{ store: 'tables', location: 'database' }] },
    installationDocuments,
  ],
  ['counter', { last: 2, taker: 'x' }, counterDocuments],
  ['seat', { holder: 'x', url: 'y', since: new Date(0).toISOString(), vacated: false }, seatDocuments],
  ['ages of records', ages, retentionAgesDocuments],
  ['jumps of a clock', { jumps: [{ at: 1, byMs: -1 }] }, clockJumpsDocuments],
  [
    'missing servers',
    { process: 'p', servers: [{ server: 's', roles: ['map'], message: '', since: 't' }], at: 't' },
    missingServersDocuments,
  ],
])('U1: fields that this release does not know stay in the document of the %s', (_, written, kind) => {
  const newer = withNewerFieldsEverywhere(written);
  expect(kind.parse(newer)).toEqual(newer);
});

/** Fields for which an object with an unknown key can never be right. */
function isRequired(field: string): boolean {
  return !['settings', 'outputs', 'before', 'after'].includes(field);
}
