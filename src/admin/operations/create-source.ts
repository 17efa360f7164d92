import { branchPrefix, sourceDocumentId } from '../../core/documents/document-id.ts';
import type { SourceKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import type { Sink } from '../../core/sink.ts';
import type { By, Source, SourceType, Stamp } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import { sourceTopic } from '../../core/topic-name.ts';
import type { TopicDescription, Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseSourceDocument } from '../../core/documents/source-document.ts';
import { removeUnchanged } from '../store/change-document.ts';
import { takeIncarnation } from '../store/counter.ts';
import { randomText } from '../store/random-text.ts';
import { changeSource } from '../store/write-document.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { tooManySinks } from './create-sink.ts';
import { showSink } from './show-sink.ts';
import { maxRecordBytes, prepareSink } from './prepare-sink.ts';
import { Rollback, type Undone } from './rollback.ts';
import type { SinkPlan } from './sink-plan.ts';
import { stampNow } from './stamp-now.ts';
import { dropLeftSinks } from './drop-left-sinks.ts';
import { sourceOutputs } from './task-outputs.ts';
import { unfenced } from './unfenced.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from './version-of.ts';

/** A source to be made, with sinks that are made with it or not at all. */
export interface SourcePlan {
  readonly key: SourceKey;
  readonly type: SourceType;
  readonly name: string;
  readonly description: string;
  readonly sinks: readonly SinkPlan[];
}

const secretLength = 48;

/** A secret for senders: 48 letters and digits. */
export function createSecret({ random }: Pick<AdminContext, 'random'>): { readonly text: string } {
  return { text: randomText(random, secretLength) };
}

/** Starts the task that makes a source. Refusals that need no work come at once: it exists, too many, twice the same sink. */
export async function createSource(
  context: AdminContext,
  { plan, by }: { readonly plan: SourcePlan; readonly by: By },
  options: Waiting,
): Promise<Task> {
  const { key } = plan;
  const { tasks, addresses } = context;
  checkSinkIds(plan.sinks);
  return tasks.serial.run(`admit ${branchPrefix(key.branchId)}`, () =>
    tasks.start(
      {
        operation: 'create',
        object: 'source',
        subject: key,
        claims: cascadeClaims(key),
        alreadyExists: () => sourceExists(`${addresses.projectId}/${key.branchId}/${key.sourceId}`),
        admit: (waiting) => admitSource(context, key, waiting),
        run: (waiting) => makeSource(context, { plan, by }, waiting),
        outputs: sourceOutputs(addresses, key),
      },
      options,
    ),
  );
}

function sourceExists(name: string): ApiError {
  return new ApiError('sourceAlreadyExists', `source "${name}" already exists in the branch`);
}

function checkSinkIds(sinks: readonly SinkPlan[]): void {
  if (sinks.length > limits.sinksPerSource) throw tooManySinks(sinks.length);
  const seen = new Set<string>();
  for (const { key } of sinks) {
    if (seen.has(key.sinkId)) throw new ApiError('badRequest', `sink "${key.sinkId}" is in body.sinks twice`);
    seen.add(key.sinkId);
  }
}

async function admitSource({ definitions, tasks }: AdminContext, key: SourceKey, options: Waiting): Promise<void> {
  const before = await definitions.findSource(key, options);
  if (before !== undefined && before.deleted === undefined) throw sourceExists(key.sourceId);
  if (before !== undefined) checkVersionLimit(before);
  const ids = new Set<string>((await definitions.sources(key.branchId, options)).map(({ sourceId }) => sourceId));
  for (const { branchId, sourceId } of tasks.running('api.create.source'))
    if (branchId === key.branchId) ids.add(sourceId);
  if (ids.size < limits.sourcesPerBranch) return;
  const message = `source count limit reached: the branch has ${ids.size} sources, the maximum is ${limits.sourcesPerBranch}`;
  throw new ApiError('sourceCountLimitReached', message);
}

async function makeSource(
  context: AdminContext,
  { plan, by }: { readonly plan: SourcePlan; readonly by: By },
  options: Waiting,
): Promise<string> {
  const { catalog, definitions } = context;
  const before = await definitions.findSource(plan.key, options);
  const stamp = stampNow(context, by);
  const rollback = new Rollback();
  await dropLeftSinks(context, { key: plan.key, before, stamp }, options);
  try {
    const { incarnation, topic } = await makeTopic(context, { key: plan.key, before }, options);
    const { key, type, name, description } = plan;
    const definition = {
      ...key,
      type,
      name,
      description,
      secrets: [createSecret(context)],
      settings: {},
      created: before?.created ?? stamp,
      topic: topic.name,
      topicIdentity: topic.identity,
      partitions: topic.partitions,
      incarnation,
      ...(before === undefined ? {} : { retired: retiredTopics(before) }),
    };
    const note = { description: 'New source.', stamp };
    const source = { ...definition, version: followingVersion(before?.version, sourceDefinition(definition), note) };
    await keepSourceVersion(catalog, source, options);
    await makeSinks(context, { plans: plan.sinks, source, stamp, rollback }, options);
    await showSource(context, { source, before, rollback }, options);
    return 'Source has been created successfully.';
  } catch (thrown) {
    await rollback.undo(context.chores);
    throw thrown;
  }
}

/**
 * The topic of a source's first existence has no number in its name and may be there already, empty, from a create that
 * failed; records in it belong to something else, and then, as for every later existence, the name gets a number.
 */
async function makeTopic(
  { catalog, sourceLog, random, config }: AdminContext,
  { key, before }: { readonly key: SourceKey; readonly before: Source | undefined },
  options: Waiting,
): Promise<{ readonly incarnation: number; readonly topic: TopicDescription }> {
  const { partitions } = config;
  if (before === undefined) {
    const name = sourceTopic(key);
    const found = await sourceLog.describeTopic(name, options);
    const ranges = found === undefined ? [] : await sourceLog.ranges(name, options);
    if (found === undefined)
      return { incarnation: 1, topic: await sourceLog.createTopic({ name, partitions, maxRecordBytes }, options) };
    if (ranges.every(({ end }) => end === 0)) return { incarnation: 1, topic: found };
  }
  const incarnation = await takeIncarnation(catalog, randomText(random, 16), options);
  const name = sourceTopic(key, incarnation);
  return { incarnation, topic: await sourceLog.createTopic({ name, partitions, maxRecordBytes }, options) };
}

interface SinksOfSource {
  readonly plans: readonly SinkPlan[];
  readonly source: Source;
  readonly stamp: Stamp;
  readonly rollback: Rollback;
}

/** Makes the sinks' documents before the source's: they are not to be seen until the source is. */
async function makeSinks(
  context: AdminContext,
  { plans, source, stamp, rollback }: SinksOfSource,
  options: Waiting,
): Promise<void> {
  const sourceTopic = { name: source.topic, identity: source.topicIdentity };
  const prepared: { readonly sink: Sink; readonly before: Sink | undefined }[] = [];
  for (const plan of plans) {
    const before = await context.definitions.findSink(plan.key, options);
    prepared.push({
      sink: await prepareSink(context, { plan, sourceTopic, before, stamp, rollback }, options),
      before,
    });
  }
  for (const { sink, before } of prepared) {
    await showSink(context, { sink, before, rollback }, options);
  }
}

interface SourceChange {
  readonly source: Source;
  readonly before: Source | undefined;
}

async function showSource(
  context: AdminContext,
  { source, before, rollback }: SourceChange & { readonly rollback: Rollback },
  options: Waiting,
): Promise<void> {
  rollback.add(`source ${sourceDocumentId(source)}`, (undoing) =>
    hideSource(unfenced(context), { source, before }, undoing),
  );
  const change = (found: Source | undefined): Source => {
    if (found === undefined || (found.deleted !== undefined && found.incarnation === before?.incarnation))
      return source;
    throw sourceExists(source.sourceId);
  };
  await changeSource(context.catalog, { key: source, change }, options);
  // An heir that took the seat before this source could be seen has discarded its topic and its sinks.
  await context.seat.assertHeld(options);
}

async function hideSource(
  { catalog, definitions }: AdminContext,
  { source, before }: SourceChange,
  options: Waiting,
): Promise<Undone> {
  const found = await definitions.findSource(source, options);
  if (found?.version.hash !== source.version.hash || found.topic !== source.topic) return;
  if (before === undefined) {
    const place = { collection: 'source', id: sourceDocumentId(source) } as const;
    const isGone = await removeUnchanged(catalog, { ...place, parse: parseSourceDocument, value: source }, options);
    return isGone ? undefined : 'kept';
  }
  const change = (now: Source | undefined) => (isDeepStrictEqual(now, source) ? before : undefined);
  const left = await changeSource(catalog, { key: source, change }, options);
  return left === before || left?.incarnation !== source.incarnation ? undefined : 'kept';
}
