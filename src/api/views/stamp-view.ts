import { z } from 'zod';
import type { Stamp, Version } from '../../core/source.ts';

const by = z.object({
  type: z.enum(['user', 'system']),
  tokenId: z.string().optional(),
  tokenDesc: z.string().optional(),
});

export const stampSchema = z.object({ at: z.iso.datetime(), by }).meta({ id: 'Stamp' });

export const versionSchema = z
  .object({
    number: z.int().min(1),
    hash: z.string().meta({ description: '16 hexadecimal digits of the definition.' }),
    description: z.string(),
    at: z.iso.datetime(),
    by,
  })
  .meta({ id: 'Version' });

/** When and by whom, without what the documents keep beside it. */
export function stampView({ at, by }: Stamp): z.input<typeof stampSchema> {
  return { at, by: byView(by) };
}

export function versionView({ number, hash, description, at, by }: Version): z.input<typeof versionSchema> {
  return { number, hash, description, at, by: byView(by) };
}

function byView({ type, tokenId, tokenDesc }: Stamp['by']): z.input<typeof by> {
  return {
    type,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(tokenDesc === undefined ? {} : { tokenDesc }),
  };
}

export const disabledSchema = stampSchema.extend({ reason: z.string() }).meta({ id: 'Disabled' });
