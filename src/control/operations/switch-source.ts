import type { SourceKey } from '../../core/ids.ts';
import type { Source, Stamp } from '../../core/source.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { rewriteSource } from '../store/write-document.ts';
import { cascadeClaims } from '../tasks/claims.ts';
import { stampNow } from './stamp-now.ts';
import { settlingSource, type SettleParts } from './settle.ts';
import { deleteSinksOf, disableSinksOf, enableSink } from './switch-sink.ts';
import { sourceOutputs } from './task-outputs.ts';
import { checkSwitch, switchedText, type SwitchOperation } from './switch-rules.ts';
import { followingVersion, keepSourceVersion, sourceDefinition } from '../store/version-of.ts';

type SwitchSourceParts = Pick<Parts, 'addresses' | 'sendersRefused' | 'sendersServed'> & SettleParts;

export interface SourceSwitch {
  readonly key: SourceKey;
  readonly operation: SwitchOperation;
  readonly change: Change;
}

/** Starts the task that disables, enables or deletes a source with its sinks. */
export function switchSource(
  parts: SwitchSourceParts,
  { key, operation, change }: SourceSwitch,
  options: Waiting,
): Promise<Task> {
  return parts.tasks.start(
    {
      operation,
      object: 'source',
      subject: key,
      change,
      claims: cascadeClaims(key),
      admit: async (waiting) => {
        checkSwitch(await parts.definitions.source(key, waiting), operation);
      },
      run: async (waiting) => {
        const source = await parts.definitions.source(key, waiting);
        const switching = { source, stamp: stampNow(parts, change.by) };
        await settlingSource(parts, key, () => work[operation](parts, switching, waiting));
        return switchedText('Source', operation);
      },
      outputs: sourceOutputs(parts.addresses, key),
    },
    options,
  );
}

interface Switching {
  readonly source: Source;
  readonly stamp: Stamp;
}

const work = { disable, enable, delete: remove } as const;

/** The source first: senders are refused, and what was accepted is in the log, before its sinks end. */
async function disable(parts: SwitchSourceParts, { source, stamp }: Switching, options: Waiting): Promise<void> {
  if (source.disabled === undefined) {
    const note = { description: 'Disabled.', stamp };
    const version = followingVersion(source.version, sourceDefinition(source), note);
    const after: Source = { ...source, version, disabled: { ...stamp, reason: 'API', withSource: false } };
    await keepSourceVersion(parts.catalog, after, options);
    await rewriteSource(parts.catalog, { before: source, after }, options);
  }
  await parts.sendersRefused?.(source, options);
  await disableSinksOf(parts, { source, stamp }, options);
}

/**
 * The sinks first: every event that a sender gets an answer for is then taken by all of them. When one fails, settling
 * closes them again.
 */
async function enable(parts: SwitchSourceParts, { source, stamp }: Switching, options: Waiting): Promise<void> {
  if (source.disabled === undefined) return;
  const back = (await parts.definitions.sinks(source, options)).filter(({ disabled }) => disabled?.withSource === true);
  for (const sink of back) await enableSink(parts, { sink, stamp, withSource: true }, options);
  const { disabled: _, ...rest } = source;
  const version = followingVersion(source.version, sourceDefinition(source), { description: 'Enabled.', stamp });
  const after: Source = { ...rest, version };
  await keepSourceVersion(parts.catalog, after, options);
  await rewriteSource(parts.catalog, { before: source, after }, options);
  await parts.sendersServed?.(options);
}

async function remove(parts: SwitchSourceParts, { source, stamp }: Switching, options: Waiting): Promise<void> {
  const after: Source = { ...source, deleted: { ...stamp, withSource: false } };
  await rewriteSource(parts.catalog, { before: source, after }, options);
  await parts.sendersRefused?.(source, options);
  await deleteSinksOf(parts, { source, stamp }, options);
}
