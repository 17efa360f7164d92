import { z } from 'zod';
import type { ClockJump } from '../core/accounts/clock-jump.ts';
import { DocumentKind } from './document-kind.ts';
import type { FieldsOf } from './fields.ts';

/** When the wall clock of who takes samples jumped, the newest last. Collection `meta`, `clockJumpsId`. */
export interface ClockJumps {
  readonly jumps: readonly ClockJump[];
}

export const clockJumpsId = 'sampling-clock-jumps';

const jump: z.ZodType<ClockJump> = z.looseObject({ at: z.int(), byMs: z.int() } satisfies FieldsOf<ClockJump>);

const schema: z.ZodType<ClockJumps> = z.looseObject({
  jumps: z.array(jump).readonly(),
} satisfies FieldsOf<ClockJumps>);

/** Documents of collection `meta`. */
export const clockJumpsDocuments = new DocumentKind<ClockJumps>({ collection: 'meta', schema });
