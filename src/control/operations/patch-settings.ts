import { isDeepStrictEqual } from 'node:util';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import { kafkaValueFormatKey } from '../../core/settings/millrace-settings.ts';
import { mergeOverrides } from '../../core/settings/merge-overrides.ts';
import { parseSettingsPatch, type SettingsPatch } from '../../core/settings/parse-settings.ts';
import type { Sink } from '../../core/sink.ts';
import type { SettingOverrides, Source } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { sentences } from '../errors/sentence.ts';
import { rewriteSink, rewriteSource } from '../store/write-document.ts';
import { sinkClaims, sourceClaims } from '../tasks/claims.ts';
import { flushProgress, type ChangeProgressParts } from './change-progress.ts';
import { stampNow } from './stamp-now.ts';
import {
  checkVersionLimit,
  followingVersion,
  keepSinkVersion,
  keepSourceVersion,
  sinkDefinition,
  sourceDefinition,
} from '../store/version-of.ts';

export type PatchSettingsParts = Pick<Parts, 'clock' | 'definitions' | 'schemaRegistry' | 'tasks'> &
  ChangeProgressParts;

type Overrides = SettingsPatch['overrides'];

/** A setting as somebody asks for it; null removes the override. */
export interface GivenSetting {
  readonly key: string;
  readonly value?: unknown;
}

/**
 * Checks a patch against the catalogue of settings, and what `refusal` says of values that the catalogue allows: `input.forbidden`
 * for protected keys only, else `input.invalid` with every problem.
 */
export function checkSettings(
  given: readonly GivenSetting[],
  level: 'source' | 'sink',
  refusal: (overrides: Overrides) => string | undefined = () => undefined,
): Overrides {
  const { overrides, problems } = parseSettingsPatch(
    given.map(({ key, value }) => ({ key, value })),
    level,
  );
  const refused = refusal(overrides);
  if (problems.length === 0 && refused === undefined) return overrides;
  const messages = [...problems.map(({ message }) => message), ...(refused === undefined ? [] : [refused])];
  const isForbidden = refused === undefined && problems.every(({ kind }) => kind === 'protected');
  throw new MillraceError(isForbidden ? 'input.forbidden' : 'input.invalid', sentences(messages));
}

/** Refuses overrides that this installation cannot follow, whoever kept them: `input.invalid`. */
export function checkValueFormat(parts: Pick<Parts, 'schemaRegistry'>, overrides: Overrides): void {
  const problem = valueFormatProblem(parts, overrides);
  if (problem !== undefined) throw new MillraceError('input.invalid', problem);
}

/** Records that name a schema could never be decoded where no registry is. */
function valueFormatProblem(
  { schemaRegistry }: Pick<Parts, 'schemaRegistry'>,
  { [kafkaValueFormatKey]: format }: Overrides,
): string | undefined {
  if (schemaRegistry !== undefined || format === undefined || format === null || format === 'raw') return undefined;
  return `invalid "${kafkaValueFormatKey}" value: "${String(format)}" needs a schema registry, and this installation has none: add "schemaRegistry" to its topology, or use "raw"`;
}

export interface SettingsPatchOf<Key> {
  readonly key: Key;
  readonly settings: readonly GivenSetting[];
  /** Of the version that the change makes. */
  readonly description?: string | undefined;
  readonly change: Change;
}

/**
 * Changes settings of a source inside the request; sinks whose conditions change are flushed, then follow the new ones (A9).
 * In this order: a flush that nothing follows does no harm, and a change that stands is never asked for again.
 * Answers the source as it is then.
 */
export function patchSourceSettings(
  parts: PatchSettingsParts,
  { key, settings: given, description = 'Updated settings.', change }: SettingsPatchOf<SourceKey>,
  options: Waiting,
): Promise<Source> {
  return parts.tasks.alone({ claims: sourceClaims(key), change }, async () => {
    const source = await parts.definitions.source(key, options);
    const overrides = checkSettings(given, 'source', (one) => valueFormatProblem(parts, one));
    await change.begin({ kind: 'source', ...key }, options);
    const settings = mergeOverrides(source.settings, overrides);
    if (isDeepStrictEqual(settings, source.settings)) return source;
    checkVersionLimit(source);
    const definition = { ...source, settings };
    const note = { description, stamp: stampNow(parts, change.by) };
    const after = { ...definition, version: followingVersion(source.version, sourceDefinition(definition), note) };
    await flushChangedSinks(parts, { source, after }, options);
    await keepSourceVersion(parts.catalog, after, options);
    await rewriteSource(parts.catalog, { before: source, after }, options);
    return after;
  });
}

/** Changes settings of a sink inside the request; answers the sink as it is then. */
export function patchSinkSettings(
  parts: PatchSettingsParts,
  { key, settings: given, description = 'Updated settings.', change }: SettingsPatchOf<SinkKey>,
  options: Waiting,
): Promise<Sink> {
  return parts.tasks.alone({ claims: sinkClaims(key), change }, async () => {
    const source = await parts.definitions.source(key, options);
    const sink = await parts.definitions.sink(key, options);
    const overrides = checkSettings(given, 'sink');
    await change.begin({ kind: 'sink', ...key }, options);
    const settings = mergeOverrides(sink.settings, overrides);
    if (isDeepStrictEqual(settings, sink.settings)) return sink;
    checkVersionLimit(sink);
    const definition = { ...sink, settings };
    const note = { description, stamp: stampNow(parts, change.by) };
    const after = { ...definition, version: followingVersion(sink.version, sinkDefinition(definition), note) };
    await flushChangedSink(parts, { source, sink, settings }, options);
    await keepSinkVersion(parts.catalog, after, options);
    await rewriteSink(parts.catalog, { before: sink, after }, options);
    return after;
  });
}

/** Asks those sinks of a source to deliver at once whose conditions the change of the source has changed (A9). */
export async function flushChangedSinks(
  parts: PatchSettingsParts,
  { source, after }: { readonly source: Source; readonly after: Source },
  options: Waiting,
): Promise<void> {
  for (const sink of await parts.definitions.sinks(source, options)) {
    const [before, now] = [levels(source, sink.settings), levels(after, sink.settings)];
    if (!sameConditions(before, now)) await flushProgress(parts, sink.incarnation, options);
  }
}

/** Asks a sink to deliver at once when these settings change its conditions (A9). */
export async function flushChangedSink(
  parts: PatchSettingsParts,
  { source, sink, settings }: { readonly source: Source; readonly sink: Sink; readonly settings: SettingOverrides },
  options: Waiting,
): Promise<void> {
  if (!sameConditions(levels(source, sink.settings), levels(source, settings)))
    await flushProgress(parts, sink.incarnation, options);
}

type Levels = readonly [SettingOverrides, SettingOverrides];

function levels(source: Source, sink: SettingOverrides): Levels {
  return [source.settings, sink];
}

/** True when neither step's conditions differ: only those make waiting data move at once (A9). */
function sameConditions(before: Levels, now: Levels): boolean {
  const [a, b] = [effectiveSettings(...before), effectiveSettings(...now)];
  return a.staging.same(b.staging) && a.target.same(b.target);
}
