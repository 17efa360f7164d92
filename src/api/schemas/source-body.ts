import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { sourceTypes } from '../../core/source.ts';
import { boundedText, maybe } from './field.ts';
import { createSinkBody } from './sink-body.ts';

/** The kind of a source, read in any case. */
const sourceType = z
  .preprocess(
    (value) => sourceTypes.find((type) => typeof value === 'string' && type === value.toLowerCase()) ?? value,
    z.enum(sourceTypes),
  )
  .meta({ type: 'string', enum: sourceTypes, description: 'Read in any case.' });
const name = boundedText({ min: 1, max: limits.nameLength });
const description = maybe(boundedText({ min: 0, max: limits.descriptionLength }));

/** Body of "create source". */
export const createSourceBody = z
  .object({
    type: sourceType,
    name,
    sourceId: maybe(boundedText({ min: 1, max: limits.idLength })).meta({
      description: 'Made of the name when absent.',
    }),
    description,
    partitions: maybe(z.int().min(1).max(limits.partitions)).meta({
      description:
        'Of its topic; it keeps them. Events of one partition are mapped, staged and imported in order, those of several side by side. Absent: as `MILLRACE_PARTITIONS` of the process says.',
    }),
    sinks: maybe(z.array(createSinkBody).max(limits.sinksPerSource)).meta({
      description: 'Created in the same task, all or none.',
    }),
  })
  .meta({ id: 'CreateSourceBody' });

/** Body of "update source": what is absent stays. */
export const updateSourceBody = z
  .object({ type: maybe(sourceType), name: maybe(name), description, changeDescription: description })
  .meta({ id: 'UpdateSourceBody' });
