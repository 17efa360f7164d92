import type { SinkKey } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import type { Change } from '../audit/change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { settlingSink } from './settle.ts';
import { stampNow } from './stamp-now.ts';
import { deleteSink, disableSink, enableSink } from './switch-sink.ts';
import { sinkOutputs } from './task-outputs.ts';
import { checkVersionLimit } from '../store/version-of.ts';

export interface SinkSwitch {
  readonly key: SinkKey;
  readonly operation: 'disable' | 'enable' | 'delete';
  readonly change: Change;
}

const results = {
  disable: 'Sink has been disabled successfully.',
  enable: 'Sink has been enabled successfully.',
  delete: 'Sink has been deleted successfully.',
} as const;

/** Starts the task that disables, enables or deletes one sink. Enabling under a disabled source: `source.disabled` (A22). */
export function switchSink(
  context: AdminContext,
  { key, operation, change }: SinkSwitch,
  options: Waiting,
): Promise<Task> {
  return context.tasks.start(
    {
      operation,
      object: 'sink',
      subject: key,
      change,
      claims: sinkClaims(key),
      admit: (waiting) => admit(context, { key, operation }, waiting),
      run: async (waiting) => {
        await settlingSink(context, key, () => run(context, { key, operation, change }, waiting));
        return results[operation];
      },
      outputs: sinkOutputs(context.addresses, key),
    },
    options,
  );
}

async function admit(
  { definitions }: AdminContext,
  { key, operation }: Omit<SinkSwitch, 'change'>,
  options: Waiting,
): Promise<void> {
  const sink = await definitions.sink(key, options);
  if (operation === 'delete') return;
  // One that is so already gets no version.
  if ((sink.disabled === undefined) === (operation === 'disable')) checkVersionLimit(sink);
  if (operation === 'disable') return;
  const source = await definitions.source(key, options);
  if (source.disabled === undefined) return;
  const message = `sink "${key.sinkId}" cannot be enabled while its source "${key.sourceId}" is disabled: enable the source`;
  throw new MillraceError('source.disabled', message);
}

async function run(context: AdminContext, { key, operation, change }: SinkSwitch, options: Waiting): Promise<void> {
  const sink = await context.definitions.sink(key, options);
  const closing = { sink, stamp: stampNow(context, change.by), withSource: false };
  switch (operation) {
    case 'disable':
      return sink.disabled === undefined ? disableSink(context, closing, options) : undefined;
    case 'enable':
      return sink.disabled === undefined ? undefined : enableSink(context, closing, options);
    case 'delete':
      return deleteSink(context, { sink, deleted: { ...closing.stamp, withSource: false } }, options);
    default:
      return operation satisfies never;
  }
}
