import type { Sink } from '../../core/sink.ts';
import type { Disabled, Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { prepareSink, type PrepareSinkParts } from './prepare-sink.ts';
import { Rollback } from './rollback.ts';
import { showSink } from './show-sink.ts';
import type { SinkMaking } from './sink-making.ts';
import { revokeWhenDelivered, type SinkTokenParts } from './sink-token.ts';
import { withSourceReason } from './switch-sink.ts';

export type EstablishSinkParts = Pick<Parts, 'tasks'> & PrepareSinkParts & SinkTokenParts;

export interface SinkEstablishment {
  readonly source: Source;
  readonly making: SinkMaking;
  readonly stamp: Stamp;
}

/** Makes an existence of a sink under a source that is there, and shows it; takes everything back when it fails. */
export function establishSink(
  parts: EstablishSinkParts,
  establishment: SinkEstablishment,
  options: Waiting,
): Promise<void> {
  const { tableId } = establishment.making.definition.table;
  return aloneOnBuckets(parts.tasks.serial, [tableId], () => establish(parts, establishment, options));
}

async function establish(
  parts: EstablishSinkParts,
  { source, making, stamp }: SinkEstablishment,
  options: Waiting,
): Promise<void> {
  const rollback = new Rollback();
  const sourceTopic = { name: source.topic, identity: source.topicIdentity };
  try {
    const sink = await prepareSink(parts, { ...making, sourceTopic, stamp, rollback }, options);
    await showSink(parts, { sink, before: making.before, rollback }, options);
    if (sink.disabled !== undefined) revokeLater(parts, sink);
  } catch (thrown) {
    await rollback.undo(parts.chores);
    throw thrown;
  }
}

/** A sink of a disabled source waits with it. */
export function disabledWith({ disabled }: Source, stamp: Stamp): Disabled | undefined {
  return disabled === undefined ? undefined : { ...stamp, reason: withSourceReason, withSource: true };
}

function revokeLater(parts: EstablishSinkParts, { branchId, sourceId, sinkId, incarnation, tokenId }: Sink): void {
  if (tokenId !== undefined) revokeWhenDelivered(parts, { key: { branchId, sourceId, sinkId }, incarnation, tokenId });
}
