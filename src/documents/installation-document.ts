import { z } from 'zod';
import type { InstallationId } from '../core/installation-id.ts';
import { installationId, name, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

/** Document `installation` of the collection `meta`. */
export interface Installation {
  readonly id: InstallationId;
  /** Names of the stores that have its mark: one that is found without it is not the store that was marked. */
  readonly claimed: readonly string[];
  /** Where these are, as far as it can be told: a process that finds one elsewhere has another topology. */
  readonly locations?: readonly StoreLocation[];
}

export interface StoreLocation {
  /** Name of the store. */
  readonly store: string;
  readonly location: string;
}

const storeLocation = z.looseObject({ store: name, location: name } satisfies FieldsOf<StoreLocation>);

const schema: z.ZodType<Installation> = z.looseObject({
  id: installationId,
  claimed: z.array(name),
  locations: z.array(storeLocation).readonly().exactOptional(),
} satisfies FieldsOf<Installation>);

/**
 * Documents of collection `meta`. Its format is that of the whole catalog: a release that may not write it does not
 * start on that catalog.
 */
export const installationDocuments = new DocumentKind<Installation>({
  collection: 'meta',
  called: 'the catalog',
  schema,
});
