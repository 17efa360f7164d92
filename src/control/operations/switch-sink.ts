import type { SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Deleted, Disabled, Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { rewriteSink } from '../store/write-document.ts';
import { closeProgress, openProgress, type ChangeProgressParts } from './change-progress.ts';
import { issueSinkToken, revokeWhenDelivered, tokenForRest, type SinkTokenParts } from './sink-token.ts';
import { followingVersion, keepSinkVersion, sinkDefinition } from '../store/version-of.ts';

export type SwitchSinkParts = SinkTokenParts & ChangeProgressParts;

export interface Closing {
  readonly stamp: Stamp;
  /** Set when the parent source is the cause, and brings the sink back later. */
  readonly withSource: boolean;
}

/** Document of a sink that is disabled; a direct disable makes a version, one with the source does not. */
export function disabledSink(sink: Sink, { stamp, withSource }: Closing): Sink {
  const reason = withSource ? withSourceReason : 'API';
  const disabled: Disabled = { ...stamp, reason, withSource };
  if (withSource) return { ...sink, disabled };
  const version = followingVersion(sink.version, sinkDefinition(sink), { description: 'Disabled.', stamp });
  return { ...sink, disabled, version };
}

export const withSourceReason = 'Auto-disabled with the parent source.';

/**
 * Ends the sink's events: what was accepted before is still staged and imported, then its token is revoked (A21). First
 * the progress document, which decides; then the sink's document, which tells.
 */
export async function disableSink(
  parts: SwitchSinkParts,
  { sink, ...closing }: Closing & { readonly sink: Sink },
  options: Waiting,
): Promise<void> {
  await closeProgress(parts, { incarnation: sink.incarnation, deleted: false }, options);
  const tokenId = await tokenForRest(parts, { sink, stamp: closing.stamp }, options);
  const after = { ...disabledSink(sink, closing), tokenId };
  await writeSwitched(parts, { before: sink, after, tokenId }, options);
}

/** Deletes softly: like disabling, but the incarnation never takes events again and goes once all is delivered. */
export async function deleteSink(
  parts: SwitchSinkParts,
  { sink, deleted }: { readonly sink: Sink; readonly deleted: Deleted },
  options: Waiting,
): Promise<void> {
  await closeProgress(parts, { incarnation: sink.incarnation, deleted: true }, options);
  const { at, by } = deleted;
  const tokenId = await tokenForRest(parts, { sink, stamp: { at, by } }, options);
  await writeSwitched(parts, { before: sink, after: { ...sink, tokenId, deleted }, tokenId }, options);
}

async function writeSwitched(
  parts: SwitchSinkParts,
  { before, after, tokenId }: { readonly before: Sink; readonly after: Sink; readonly tokenId: string },
  options: Waiting,
): Promise<void> {
  if (after.version.number !== before.version.number) await keepSinkVersion(parts.catalog, after, options);
  await rewriteSink(parts.catalog, { before, after }, options);
  const { branchId, sourceId, sinkId, incarnation } = after;
  revokeWhenDelivered(parts, { key: { branchId, sourceId, sinkId }, incarnation, tokenId });
}

/**
 * Lets the sink take events again, from here on, with a token made anew. What was accepted before it was disabled goes
 * on being delivered.
 */
export async function enableSink(
  parts: SwitchSinkParts,
  { sink, stamp, withSource }: Closing & { readonly sink: Sink },
  options: Waiting,
): Promise<void> {
  const token = await issueSinkToken(parts, { sink, stamp }, options);
  try {
    await openProgress(parts, sink.incarnation, options);
  } catch (thrown) {
    parts.chores.add({
      name: `revoke token ${token.id}`,
      attempt: async (waiting) => parts.tokens.revoke(token.id, waiting).then(() => true),
    });
    throw thrown;
  }
  const { disabled: _, ...enabled } = sink;
  const version = followingVersion(sink.version, sinkDefinition(sink), { description: 'Enabled.', stamp });
  const after: Sink = { ...enabled, tokenId: token.id, ...(withSource ? {} : { version }) };
  if (!withSource) await keepSinkVersion(parts.catalog, after, options);
  await rewriteSink(parts.catalog, { before: sink, after }, options);
  if (sink.tokenId !== undefined) await parts.tokens.revoke(sink.tokenId, options);
}

export interface SinksOfSource {
  readonly source: SourceKey;
  readonly stamp: Stamp;
}

/** Disables the sinks that still take events, so that enabling the source brings them back. */
export async function disableSinksOf(
  parts: SwitchSinkParts,
  { source, stamp }: SinksOfSource,
  options: Waiting,
): Promise<void> {
  for (const sink of await parts.definitions.sinks(source, options))
    if (sink.disabled === undefined) await disableSink(parts, { sink, stamp, withSource: true }, options);
}

/** How a sink is deleted that goes with its source, and comes back with it. */
export function deletedWith({ incarnation }: Source, stamp: Stamp): Deleted {
  return { ...stamp, withSource: true, sourceIncarnation: incarnation };
}

/** Deletes the sinks that are left, so that undeleting the source brings them back. */
export async function deleteSinksOf(
  parts: SwitchSinkParts,
  { source, stamp }: { readonly source: Source; readonly stamp: Stamp },
  options: Waiting,
): Promise<void> {
  for (const sink of await parts.definitions.sinks(source, options))
    await deleteSink(parts, { sink, deleted: deletedWith(source, stamp) }, options);
}
