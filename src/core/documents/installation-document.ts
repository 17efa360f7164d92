import { z } from 'zod';
import type { InstallationId } from '../installation-id.ts';
import { installationId, name } from './fields.ts';
import { parseDocument } from './parse-document.ts';

/** Document `installation` of the collection `meta`. */
export interface Installation {
  readonly id: InstallationId;
  /** Names of the stores that have its mark: one that is found without it is not the store that was marked. */
  readonly claimed: readonly string[];
}

const schema: z.ZodType<Installation> = z.object({ id: installationId, claimed: z.array(name) });

export function parseInstallationDocument(value: unknown): Installation {
  return parseDocument('meta', schema, value);
}
