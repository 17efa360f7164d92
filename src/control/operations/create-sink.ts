import { sourceDocumentId } from '../../documents/document-id.ts';
import type { SinkKey } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { checkSinkCount } from './check-counts.ts';
import { disabledWith, establishSink, type EstablishSinkParts } from './establish-sink.ts';
import { sinkExists } from './show-sink.ts';
import { planned } from './sink-making.ts';
import type { SinkPlan } from './sink-plan.ts';
import { stampNow } from './stamp-now.ts';
import { sinkOutputs } from './task-outputs.ts';
import { checkVersionLimit } from '../store/version-of.ts';

type CreateSinkParts = Pick<Parts, 'addresses' | 'clock'> & EstablishSinkParts;

/** Starts the task that makes a sink. Refusals that need no work come at once: it exists, too many, no such source. */
export async function createSink(
  parts: CreateSinkParts,
  { plan, change }: { readonly plan: SinkPlan; readonly change: Change },
  options: Waiting,
): Promise<Task> {
  const { key } = plan;
  const { tasks, addresses } = parts;
  const source = sourceDocumentId(key);
  return tasks.serial.run(`admit ${source}`, () =>
    tasks.start(
      {
        operation: 'create',
        object: 'sink',
        subject: key,
        change,
        claims: sinkClaims(key),
        alreadyExists: () => sinkExists(`${addresses.projectId}/${key.branchId}/${key.sourceId}/${key.sinkId}`),
        admit: (waiting) => admitSink(parts, key, waiting),
        run: (waiting) => tasks.serial.run(`create ${source}`, () => makeSink(parts, { plan, change }, waiting)),
        outputs: sinkOutputs(addresses, key),
      },
      options,
    ),
  );
}

async function admitSink(parts: Pick<Parts, 'definitions' | 'tasks'>, key: SinkKey, options: Waiting): Promise<void> {
  const { definitions } = parts;
  await definitions.source(key, options);
  const before = await definitions.findSink(key, options);
  if (before !== undefined && before.deleted === undefined) throw sinkExists(key.sinkId);
  if (before !== undefined) checkVersionLimit(before);
  await checkSinkCount(parts, key, options);
}

async function makeSink(
  parts: CreateSinkParts,
  { plan, change }: { readonly plan: SinkPlan; readonly change: Change },
  options: Waiting,
): Promise<string> {
  const source = await parts.definitions.source(plan.key, options);
  const before = await parts.definitions.findSink(plan.key, options);
  const stamp = stampNow(parts, change.by);
  const disabled = disabledWith(source, stamp);
  await establishSink(parts, { source, making: planned(plan, { before, stamp, disabled }), stamp }, options);
  return 'Sink has been created successfully.';
}
