import type { Schemas } from '../client/api-client.ts';

type Whole = Schemas['SinkProgress'];
type Part<Field extends keyof Whole, Keys extends keyof NonNullable<Whole[Field]>> = Pick<
  NonNullable<Whole[Field]>,
  Keys
>;

/** What `GET …/sinks/{sinkId}/progress` says, as far as the commands read it. */
export interface ProgressShape extends IncarnationShape, Pick<Whole, 'sourceId' | 'sinkId' | 'missingServers'> {
  /** What the sink accepted before it was deleted and came back. */
  readonly earlier?: readonly IncarnationShape[];
}

/** The same of one existence of the sink. */
interface IncarnationShape extends Pick<Whole, 'takesEvents' | 'alarm' | 'endsUnknown' | 'totals' | 'errors'> {
  readonly staged: Part<'staged', 'nextImportAt'>;
  readonly importing?: Part<'importing', 'number' | 'startedAt'>;
  readonly parked?: Part<'parked', 'slices' | 'rows' | 'dead' | 'since' | 'damaged'>;
  readonly lastImport?: Part<'lastImport', 'number' | 'at' | 'rows' | 'dead'>;
}

/** Where the events of a sink are; every accepted one stands in exactly one of the others. */
export type NumbersShape = Whole['totals'];
