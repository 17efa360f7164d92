import type { Incarnation, SinkKey } from '../../core/ids.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import type { ImportNote } from '../../core/import-note.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { effectiveSettings, type EffectiveSettings } from '../../core/settings/effective.ts';
import { closedEnds } from '../../core/progress/flush.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { progressId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { endsIfKnown } from '../ends/ends-if-known.ts';
import type { Parts } from '../parts.ts';
import { readMissingServers, type MissedServer } from '../store/read-missing-servers.ts';
import { readStatuses } from '../store/read-statuses.ts';
import { openSlices } from './open-slices.ts';
import { readWitnessed, type Witnessed } from './read-witnessed.ts';

/** Where the events of a sink are, as far as everybody who knows of them can be asked. */
export interface SinkReport extends IncarnationReport {
  /** Of each incarnation that was deleted before the sink came back, and still has something to deliver or to tell. */
  readonly earlier: readonly IncarnationReport[];
  /** Servers that processes of the installation cannot use now, whichever sink waits for that. */
  readonly missing: readonly MissedServer[];
}

/** The same of one incarnation. */
export interface IncarnationReport extends Witnessed {
  /** Durable ends of the source topic, or why they are not known. */
  readonly ends: Ends | { readonly unknown: string };
  /** Stable ends of it; undefined when they are not known, and of a deleted incarnation, whose ends are its own. */
  readonly stable: Ends | undefined;
  /** Records that each partition acknowledged, where the log counts them and answers. */
  readonly acknowledged: ReadonlyMap<number, number> | undefined;
  readonly settings: EffectiveSettings;
  readonly statuses: readonly SinkStatus[];
  readonly openSlices: readonly OpenSliceState[];
  /** What the history says about the last import of the document; undefined when it says nothing. */
  readonly lastNote: ImportNote | undefined;
  /** What does not move though it has work; undefined when everything does. */
  readonly standstill: string | undefined;
  /** How much of the retention its oldest needed event has used, from 0 to 1; undefined when that is not known. */
  readonly retentionUsed: number | undefined;
  /** Wall time, milliseconds. */
  readonly now: number;
}

type SinkReportParts = Pick<
  Parts,
  | 'catalog'
  | 'clock'
  | 'defaults'
  | 'definitions'
  | 'ledger'
  | 'openSlices'
  | 'retentionUsedBy'
  | 'sourceLog'
  | 'standstillOf'
  | 'telemetry'
>;

/**
 * Reports a sink; a deleted one as long as anything of it is left to deliver or to tell. `source.notFound`,
 * `sink.notFound`.
 */
export async function reportSink(parts: SinkReportParts, key: SinkKey, options: Waiting): Promise<SinkReport> {
  const { definitions } = parts;
  const source = await definitions.knownSource(key, options);
  const sink = await definitions.knownSink(key, options);
  const settings = effectiveSettings(parts.defaults ?? {}, source.settings, sink.settings);
  const own = await reportIncarnation(parts, { incarnation: sink.incarnation, settings }, options);
  const found: (IncarnationReport | undefined)[] = [];
  for (const { incarnation } of await definitions.earlierOf(sink, options))
    found.push(await reportIncarnation(parts, { incarnation, settings }, options));
  const earlier = found.filter((one) => one !== undefined);
  const missing = await readMissingServers(parts, options);
  if (own !== undefined) return { ...own, earlier, missing };
  const [last] = earlier.splice(-1);
  if (sink.deleted === undefined)
    throw new MillraceError('catalog.invalidDocument', `the sink "${key.sinkId}" has no progress document`);
  if (last !== undefined) return { ...last, earlier, missing };
  const message = `sink "${key.sinkId}" not found in the source: it is deleted, and has delivered everything`;
  throw new MillraceError('sink.notFound', message);
}

/** Reads the document, then the ends, then what others say; undefined when there is no document. */
async function reportIncarnation(
  parts: SinkReportParts,
  { incarnation, settings }: { readonly incarnation: Incarnation; readonly settings: EffectiveSettings },
  options: Waiting,
): Promise<IncarnationReport | undefined> {
  const { definitions } = parts;
  const read = () => definitions.progress(incarnation, options);
  const witnessed = await readWitnessed(parts.ledger, { incarnation, read }, options);
  if (witnessed === undefined) return undefined;
  const { topics, lastImport, deleted } = witnessed.progress;
  // A deleted incarnation wants nothing beyond its own ends, whatever became of the topic.
  const found: Awaited<ReturnType<typeof endsIfKnown>> = deleted
    ? { stable: new Map(), durable: closedEnds(witnessed.progress) }
    : await endsIfKnown(parts.sourceLog, topics, options);
  const isOpenOfIt = (slice: OpenSliceState): boolean => slice.incarnation === incarnation && !slice.isClosing;
  return {
    ...witnessed,
    ends: 'unknown' in found ? found : found.durable,
    stable: 'unknown' in found || deleted ? undefined : found.stable,
    acknowledged: 'unknown' in found ? undefined : found.acknowledged,
    settings,
    statuses: await readStatuses(parts, `${progressId(incarnation)}/`, options),
    lastNote: lastImport && (await definitions.importNote(incarnation, lastImport.number, options)),
    openSlices: (await openSlices(parts)).filter(isOpenOfIt),
    standstill: parts.standstillOf?.(incarnation),
    retentionUsed: parts.retentionUsedBy?.(incarnation),
    now: parts.clock.now(),
  };
}
