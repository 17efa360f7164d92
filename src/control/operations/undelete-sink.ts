import { sourceDocumentId } from '../../documents/document-id.ts';
import type { SinkKey } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { checkSinkCount } from './check-counts.ts';
import { disabledWith, establishSink, type EstablishSinkParts } from './establish-sink.ts';
import { restored } from './sink-making.ts';
import { stampNow } from './stamp-now.ts';
import { sinkOutputs } from './task-outputs.ts';
import { undeletedText } from './undelete-source.ts';
import { checkVersionLimit } from '../store/version-of.ts';

type UndeleteSinkParts = Pick<Parts, 'addresses' | 'clock'> & EstablishSinkParts;

/**
 * Starts the task that brings a deleted sink back as a new incarnation: with the definition, settings and versions that it had. It takes
 * events from then on, unless it was disabled, or its source is.
 */
export async function undeleteSink(
  parts: UndeleteSinkParts,
  { key, change }: { readonly key: SinkKey; readonly change: Change },
  options: Waiting,
): Promise<Task> {
  const { tasks, addresses, definitions } = parts;
  await definitions.deletedSink(key, options);
  const source = sourceDocumentId(key);
  return tasks.serial.run(`admit ${source}`, () =>
    tasks.start(
      {
        operation: 'undelete',
        object: 'sink',
        subject: key,
        change,
        claims: sinkClaims(key),
        admit: async (waiting) => {
          checkVersionLimit(await definitions.deletedSink(key, waiting));
          await checkSinkCount(parts, key, waiting);
        },
        run: (waiting) => tasks.serial.run(`create ${source}`, () => undelete(parts, { key, change }, waiting)),
        outputs: sinkOutputs(addresses, key),
      },
      options,
    ),
  );
}

async function undelete(
  parts: UndeleteSinkParts,
  { key, change }: { readonly key: SinkKey; readonly change: Change },
  options: Waiting,
): Promise<string> {
  const source = await parts.definitions.source(key, options);
  const before = await parts.definitions.deletedSink(key, options);
  const stamp = stampNow(parts, change.by);
  // What was disabled with the source follows the source as it is now.
  const disabled = before.disabled?.withSource === false ? before.disabled : disabledWith(source, stamp);
  const making = restored(before, { note: { description: undeletedText(before), stamp }, disabled });
  await establishSink(parts, { source, making, stamp }, options);
  return 'Sink has been undeleted successfully.';
}
