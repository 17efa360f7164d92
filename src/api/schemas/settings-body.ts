import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { boundedText, maybe } from './field.ts';

/** More than there are. */
const maxSettings = 200;

/** Body of "patch settings": merged by key, null removes an override. */
export const settingsBody = z
  .object({
    settings: maybe(
      z
        .array(
          z.object({
            key: boundedText({ min: 1, max: 200 }),
            value: z.unknown().meta({ description: 'Text, number, boolean or list; null removes the override.' }),
          }),
        )
        .max(maxSettings),
    ),
    changeDescription: maybe(boundedText({ min: 0, max: limits.descriptionLength })),
  })
  .meta({ id: 'SettingsBody' });

export type SettingsBody = z.output<typeof settingsBody>;
