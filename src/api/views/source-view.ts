import { z } from 'zod';
import { sourceTypes, type Source } from '../../core/source.ts';
import type { Addresses } from '../addresses.ts';
import { disabledSchema, stampSchema, stampView, versionSchema, versionView } from './stamp-view.ts';

export const sourceSchema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    type: z.enum(sourceTypes),
    name: z.string(),
    description: z.string(),
    partitions: z.int().meta({ description: 'As many as the topic had when it was made.' }),
    http: z.object({ url: z.url() }).optional(),
    otlp: z.object({ url: z.url(), baseUrl: z.url(), secret: z.string() }).optional(),
    previousSecretValidUntil: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When the secret that was rotated away ends, or has ended.' }),
    version: versionSchema,
    created: stampSchema,
    deleted: stampSchema.optional(),
    disabled: disabledSchema.optional(),
  })
  .meta({ id: 'Source' });

export type SourceView = z.input<typeof sourceSchema>;

/** A source as the API shows it, its secret included. */
export function sourceView(source: Source, addresses: Addresses): SourceView {
  const { branchId, sourceId, type, name, description, partitions, version, created, deleted, disabled } = source;
  return {
    projectId: addresses.projectId,
    branchId,
    sourceId,
    type,
    name,
    description,
    partitions,
    ...endpoint(source, addresses),
    ...ending(source),
    version: versionView(version),
    created: stampView(created),
    ...(deleted === undefined ? {} : { deleted: stampView(deleted) }),
    ...(disabled === undefined ? {} : { disabled: { ...stampView(disabled), reason: disabled.reason } }),
  };
}

function ending({ secrets: [, previous] }: Source): Pick<SourceView, 'previousSecretValidUntil'> {
  const { validUntil } = previous ?? {};
  return validUntil === undefined ? {} : { previousSecretValidUntil: new Date(validUntil).toISOString() };
}

function endpoint({ type, sourceId, secrets }: Source, addresses: Addresses): Pick<SourceView, 'http' | 'otlp'> {
  const secret = secrets[0]?.text ?? '';
  switch (type) {
    case 'http':
      return { http: { url: addresses.stream(sourceId, secret) } };
    case 'otlp': {
      const baseUrl = addresses.otlp(sourceId);
      return { otlp: { url: `${baseUrl}/${secret}`, baseUrl, secret } };
    }
    default:
      return type satisfies never;
  }
}
