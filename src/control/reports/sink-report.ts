import type { SinkKey } from '../../core/ids.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import type { ImportNote } from '../../core/import-note.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { effectiveSettings, type EffectiveSettings } from '../../core/settings/effective.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { progressId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { endsIfKnown } from '../ends/ends-if-known.ts';
import type { Parts } from '../parts.ts';
import { readStatuses } from '../store/read-statuses.ts';
import { openSlices } from './open-slices.ts';
import { readWitnessed, type Witnessed } from './read-witnessed.ts';

/** Where the events of a sink are, as far as everybody who knows of them can be asked. */
export interface SinkReport extends Witnessed {
  /** Durable ends of the source topic, or why they are not known. */
  readonly ends: Ends | { readonly unknown: string };
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
  | 'definitions'
  | 'ledger'
  | 'openSlices'
  | 'retentionUsedBy'
  | 'sourceLog'
  | 'standstillOf'
  | 'telemetry'
>;

/** Reads the document, then the ends, then what others say; `source.notFound`, `sink.notFound`. */
export async function reportSink(parts: SinkReportParts, key: SinkKey, options: Waiting): Promise<SinkReport> {
  const { definitions } = parts;
  const source = await definitions.source(key, options);
  const sink = await definitions.sink(key, options);
  const { incarnation } = sink;
  const read = () => definitions.progress(incarnation, options);
  const witnessed = await readWitnessed(parts.ledger, { incarnation, read }, options);
  if (witnessed === undefined)
    throw new MillraceError('catalog.invalidDocument', `the sink "${key.sinkId}" has no progress document`);
  const { topics, lastImport } = witnessed.progress;
  const found = await endsIfKnown(parts.sourceLog, topics, options);
  const isOpenOfIt = (slice: OpenSliceState): boolean => slice.incarnation === incarnation && !slice.isClosing;
  return {
    ...witnessed,
    ends: 'unknown' in found ? found : found.durable,
    acknowledged: 'unknown' in found ? undefined : found.acknowledged,
    settings: effectiveSettings(source.settings, sink.settings),
    statuses: await readStatuses(parts, `${progressId(incarnation)}/`, options),
    lastNote: lastImport && (await definitions.importNote(incarnation, lastImport.number, options)),
    openSlices: (await openSlices(parts)).filter(isOpenOfIt),
    standstill: parts.standstillOf?.(incarnation),
    retentionUsed: parts.retentionUsedBy?.(incarnation),
    now: parts.clock.now(),
  };
}
