import type { Sink } from '../../core/sink.ts';
import type { Disabled, Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { prepareSink } from './prepare-sink.ts';
import { Rollback } from './rollback.ts';
import { showSink } from './show-sink.ts';
import type { SinkMaking } from './sink-making.ts';
import { revokeWhenDelivered } from './sink-token.ts';
import { withSourceReason } from './switch-sink.ts';

export interface SinkEstablishment {
  readonly source: Source;
  readonly making: SinkMaking;
  readonly stamp: Stamp;
}

/** Makes an existence of a sink under a source that is there, and shows it; takes everything back when it fails. */
export function establishSink(
  context: AdminContext,
  establishment: SinkEstablishment,
  options: Waiting,
): Promise<void> {
  const { tableId } = establishment.making.definition.table;
  return aloneOnBuckets(context.tasks.serial, [tableId], () => establish(context, establishment, options));
}

async function establish(
  context: AdminContext,
  { source, making, stamp }: SinkEstablishment,
  options: Waiting,
): Promise<void> {
  const rollback = new Rollback();
  const sourceTopic = { name: source.topic, identity: source.topicIdentity };
  try {
    const sink = await prepareSink(context, { ...making, sourceTopic, stamp, rollback }, options);
    await showSink(context, { sink, before: making.before, rollback }, options);
    if (sink.disabled !== undefined) revokeLater(context, sink);
  } catch (thrown) {
    await rollback.undo(context.chores);
    throw thrown;
  }
}

/** A sink of a disabled source waits with it. */
export function disabledWith({ disabled }: Source, stamp: Stamp): Disabled | undefined {
  return disabled === undefined ? undefined : { ...stamp, reason: withSourceReason, withSource: true };
}

function revokeLater(context: AdminContext, { branchId, sourceId, sinkId, incarnation, tokenId }: Sink): void {
  if (tokenId !== undefined)
    revokeWhenDelivered(context, { key: { branchId, sourceId, sinkId }, incarnation, tokenId });
}
