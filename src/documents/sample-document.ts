import { z } from 'zod';
import { numberColumnPattern } from '../core/accounts/number-column.ts';
import type { SampleBlock, SampledSink } from '../core/accounts/samples.ts';
import { DocumentKind } from './document-kind.ts';
import { branchId, count, incarnation, sinkId, sourceId, type FieldsOf } from './fields.ts';

const column = z.string().regex(numberColumnPattern);
const some = column.exactOptional();

const sink: z.ZodType<SampledSink> = z.looseObject({
  branchId,
  sourceId,
  sinkId,
  incarnation,
  runs: z.array(count).readonly(),
  accepted: some,
  imported: some,
  staged: some,
  inFlight: some,
  filtered: some,
  dead: some,
  holes: some,
  givenUp: some,
} satisfies FieldsOf<SampledSink>);

const schema: z.ZodType<SampleBlock> = z.looseObject({
  at: column,
  sinks: z.array(sink).readonly(),
} satisfies FieldsOf<SampleBlock>);

/** Documents of collection `sample`. */
export const sampleDocuments = new DocumentKind<SampleBlock>({ collection: 'sample', schema });
