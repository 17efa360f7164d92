import { z } from 'zod';
import type { Component } from '../../core/component.ts';

export const componentSchema = z
  .object({
    id: z.string(),
    type: z.enum(['extractor', 'other']),
    name: z.string(),
    description: z.string(),
    aliases: z.array(z.string()).meta({ description: 'Ids of other installations under which it is known, too.' }),
    flags: z.array(z.string()),
  })
  .meta({ id: 'Component' });

/** A component as the storage interface shows it. */
export function componentView({ id, type, name, description, aliases }: Component): z.input<typeof componentSchema> {
  return { id, type, name, description, aliases: [...aliases], flags: [] };
}
