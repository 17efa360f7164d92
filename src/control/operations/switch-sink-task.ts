import type { SinkKey } from '../../core/ids.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { settlingSink, type SettleParts } from './settle.ts';
import { stampNow } from './stamp-now.ts';
import { deleteSink, disableSink, enableSink } from './switch-sink.ts';
import { checkSwitch, switchedText, type SwitchOperation } from './switch-rules.ts';
import { sinkOutputs } from './task-outputs.ts';

type SwitchSinkTaskParts = Pick<Parts, 'addresses'> & SettleParts;

export interface SinkSwitch {
  readonly key: SinkKey;
  readonly operation: SwitchOperation;
  readonly change: Change;
}

/** Starts the task that disables, enables or deletes one sink. Enabling under a disabled source: `source.disabled` (A22). */
export function switchSink(
  parts: SwitchSinkTaskParts,
  { key, operation, change }: SinkSwitch,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation,
      object: 'sink',
      subject: key,
      change,
      claims: sinkClaims(key),
      admit: (waiting) => admit(parts, { key, operation }, waiting),
      run: async (waiting) => {
        const kept = operation === 'delete' ? await keptText(parts, key, waiting) : '';
        await settlingSink(parts, key, () => run(parts, { key, operation, change }, waiting));
        return `${switchedText('Sink', operation)}${kept}`;
      },
      outputs: sinkOutputs(parts.addresses, key),
    },
    options,
  );
}

/** A sentence on what a sink that is about to be deleted leaves. */
async function keptText(
  { definitions, tables }: Pick<Parts, 'definitions' | 'tables'>,
  key: SinkKey,
  options: Waiting,
): Promise<string> {
  const { table } = await definitions.sink(key, options);
  const letters = await tables.describeTable(deadLetterTable, options).catch(() => undefined);
  return ` The table ${table.tableId} stays${letters === undefined ? '' : ', and so do dead letters'}.`;
}

async function admit(
  { definitions }: Pick<Parts, 'definitions'>,
  { key, operation }: Omit<SinkSwitch, 'change'>,
  options: Waiting,
): Promise<void> {
  const sink = await definitions.sink(key, options);
  checkSwitch(sink, operation);
  if (operation !== 'enable') return;
  const source = await definitions.source(key, options);
  if (source.disabled === undefined) return;
  const message = `sink "${key.sinkId}" cannot be enabled while its source "${key.sourceId}" is disabled: enable the source`;
  throw new MillraceError('source.disabled', message);
}

async function run(
  parts: SwitchSinkTaskParts,
  { key, operation, change }: SinkSwitch,
  options: Waiting,
): Promise<void> {
  const sink = await parts.definitions.sink(key, options);
  const closing = { sink, stamp: stampNow(parts, change.by), withSource: false };
  switch (operation) {
    case 'disable':
      return sink.disabled === undefined ? disableSink(parts, closing, options) : undefined;
    case 'enable':
      return sink.disabled === undefined ? undefined : enableSink(parts, closing, options);
    case 'delete':
      return deleteSink(parts, { sink, deleted: { ...closing.stamp, withSource: false } }, options);
    default:
      return operation satisfies never;
  }
}
