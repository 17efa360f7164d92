import { z } from 'zod';
import { DocumentKind } from './document-kind.ts';
import type { FieldsOf } from './fields.ts';

/** Who changes things, document `admin` of collection `meta`. */
export interface SeatHolder {
  /** Name of one life of a process; never used again. */
  readonly holder: string;
  /** Where the other processes reach it. */
  readonly url: string;
  readonly since: string;
  /** It has finished everything and changes nothing more: another one need not wait for it. */
  readonly vacated: boolean;
}

const schema: z.ZodType<SeatHolder> = z.looseObject({
  holder: z.string(),
  url: z.string(),
  since: z.iso.datetime(),
  vacated: z.boolean(),
} satisfies FieldsOf<SeatHolder>);

export const seatId = 'admin';

/** Documents of collection `meta`. */
export const seatDocuments = new DocumentKind<SeatHolder>({ collection: 'meta', schema });
