import { z } from 'zod';
import { choice } from '../primitives.ts';
import { field } from './fields.ts';
import { roles } from './role.ts';
import { schemaRegistry } from './schema-registry.ts';
import { storeSchemas } from './store-schemas.ts';
import type { Topology } from './topology.ts';

const cluster = z.strictObject({
  kind: z.literal('cluster'),
  roles: z
    .array(field(choice(roles)))
    .min(1, 'needs one role or more')
    .default([...roles]),
  ...storeSchemas,
  schemaRegistry: schemaRegistry.optional(),
});

/** What a topology file holds; see `topologies/` for examples with comments. */
export const topologySchema: z.ZodType<Topology> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  cluster,
]);
