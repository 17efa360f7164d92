import { z } from 'zod';
import { path } from '../primitives.ts';
import { field, optional } from './fields.ts';

/** Checked TLS; absent files: the system's authorities, no certificate of our own. */
export interface Tls {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export const tls = z.strictObject({
  caFile: optional(field(path())),
  certFile: optional(field(path())),
  keyFile: optional(field(path())),
}) satisfies z.ZodType<Tls>;
