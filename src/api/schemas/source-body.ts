import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { servedSourceTypes, sourceTypes, whyUnserved } from '../../core/source.ts';
import { shown } from '../errors/validation-error.ts';
import { boundedText, maybe } from './field.ts';
import { createSinkBody } from './sink-body.ts';

/** The kind of a source, read in any case. */
const sourceType = z
  .preprocess(
    (value) => sourceTypes.find((type) => typeof value === 'string' && type === value.toLowerCase()) ?? value,
    z.unknown().superRefine(refuseUnserved).pipe(z.enum(servedSourceTypes)),
  )
  .meta({ type: 'string', enum: servedSourceTypes, description: 'Read in any case.' });
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
    sinks: maybe(z.array(createSinkBody).max(limits.sinksPerSource)).meta({
      description: 'Created in the same task, all or none.',
    }),
  })
  .meta({ id: 'CreateSourceBody' });

/** Body of "update source": what is absent stays. */
export const updateSourceBody = z
  .object({ type: maybe(sourceType), name: maybe(name), description, changeDescription: description })
  .meta({ id: 'UpdateSourceBody' });

function refuseUnserved(type: unknown, context: z.RefinementCtx): void {
  const reason = whyUnserved(type);
  if (reason === undefined) return;
  const values = servedSourceTypes.map((served) => JSON.stringify(served)).join(', ');
  context.addIssue({
    code: 'custom',
    params: { name: 'invalidEnumValue' },
    message: `value of {field} must be one of ${values} but got value ${shown(type)}: ${reason}`,
  });
}
