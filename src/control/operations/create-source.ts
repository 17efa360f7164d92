import { branchPrefix } from '../../documents/document-id.ts';
import type { SourceKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { SourceType } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { checkSourceCount, tooManySinks } from './check-counts.ts';
import { createSecret } from './create-secret.ts';
import { endLeftSinks } from './end-left-sinks.ts';
import { establishSource, type EstablishSourceParts } from './establish-source.ts';
import { settleSource, type SettleParts } from './settle.ts';
import { sourceExists } from './show-source.ts';
import { planned, type SinkMaking } from './sink-making.ts';
import type { SinkPlan } from './sink-plan.ts';
import { stampNow } from './stamp-now.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkVersionLimit, followingVersion } from '../store/version-of.ts';

type CreateSourceParts = Pick<Parts, 'addresses' | 'maxSources' | 'sendersServed'> & EstablishSourceParts & SettleParts;

/** A source to be made, with sinks that are made with it or not at all. */
export interface SourcePlan {
  readonly key: SourceKey;
  readonly type: SourceType;
  readonly name: string;
  readonly description: string;
  /** Absent: as many as the process gives a source. */
  readonly partitions?: number | undefined;
  readonly sinks: readonly SinkPlan[];
}

/** Starts the task that makes a source. Refusals that need no work come at once: it exists, too many, twice the same sink. */
export async function createSource(
  parts: CreateSourceParts,
  { plan, change }: { readonly plan: SourcePlan; readonly change: Change },
  options: Waiting,
): Promise<Task> {
  const { key } = plan;
  const { tasks, addresses } = parts;
  checkSinkIds(plan.sinks);
  return tasks.serial.run(`admit ${branchPrefix(key.branchId)}`, () =>
    tasks.start(
      {
        operation: 'create',
        object: 'source',
        subject: key,
        change,
        claims: cascadeClaims(key),
        alreadyExists: () => sourceExists(`${addresses.projectId}/${key.branchId}/${key.sourceId}`),
        admit: (waiting) => admitSource(parts, key, waiting),
        run: (waiting) => makeSource(parts, { plan, change }, waiting),
        outputs: sourceOutputs(addresses, key),
      },
      options,
    ),
  );
}

function checkSinkIds(sinks: readonly SinkPlan[]): void {
  if (sinks.length > limits.sinksPerSource) throw tooManySinks(sinks.length);
  const seen = new Set<string>();
  for (const { key } of sinks) {
    if (seen.has(key.sinkId)) throw new MillraceError('input.invalid', `sink "${key.sinkId}" is in body.sinks twice`);
    seen.add(key.sinkId);
  }
}

async function admitSource(
  parts: Pick<Parts, 'definitions' | 'maxSources' | 'tasks'>,
  key: SourceKey,
  options: Waiting,
): Promise<void> {
  const before = await parts.definitions.findSource(key, options);
  if (before !== undefined && before.deleted === undefined) throw sourceExists(key.sourceId);
  if (before !== undefined && before.erased === undefined) checkVersionLimit(before);
  await checkSourceCount(parts, key.branchId, options);
}

async function makeSource(
  parts: CreateSourceParts,
  { plan, change }: { readonly plan: SourcePlan; readonly change: Change },
  options: Waiting,
): Promise<string> {
  const { definitions } = parts;
  const { key, type, name, description, partitions } = plan;
  const before = await definitions.findSource(key, options);
  const stamp = stampNow(parts, change.by);
  if (before?.erased === undefined) await endLeftSinks(parts, { key, before, stamp }, options);
  else await settleSource(parts, key, options);
  // Of one that was erased only its topics are still known.
  const known = before?.erased === undefined ? before : undefined;
  const sinks: SinkMaking[] = [];
  for (const sink of plan.sinks)
    sinks.push(planned(sink, { before: await definitions.findSink(sink.key, options), stamp }));
  const definition = { type, name, description, settings: {} };
  const version = followingVersion(known?.version, definition, { description: 'New source.', stamp });
  const secrets = [createSecret(parts)];
  const created = known?.created ?? stamp;
  const establishment = { key, definition, version, secrets, created, partitions, before, sinks, stamp };
  await establishSource(parts, establishment, options);
  await parts.sendersServed?.(options);
  return 'Source has been created successfully.';
}
