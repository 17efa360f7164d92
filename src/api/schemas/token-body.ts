import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { TokenRole } from '../../core/token.ts';
import { boundedText, maybe } from './field.ts';

const tokenRoles = ['admin', 'readOnly', 'limited'] as const satisfies readonly TokenRole[];

/** Each of a list without end would be looked at, and told. */
export const maxNamed = 100;

/** Ten years: who wants more leaves it out. */
const maxExpiresIn = 315_360_000;

const granted = maybe(z.boolean()).meta({
  description: 'Follows from the role: a value that the role does not give is refused.',
});

/** Body of "create token". What other installations of this API can limit and this one cannot is refused, never ignored. */
export const createTokenBody = z
  .object({
    description: maybe(boundedText({ min: 0, max: limits.tokenDescriptionLength })),
    role: maybe(z.enum(tokenRoles)).meta({
      description:
        '`limited` has to do with components, buckets and tables alone; `admin` when absent, unless `componentAccess` or `bucketPermissions` names some.',
    }),
    expiresIn: maybe(z.int().min(1).max(maxExpiresIn)).meta({
      description: 'Seconds; null or absent: it does not expire.',
    }),
    canManageBuckets: maybe(z.boolean()).meta({
      description:
        'Of a limited token: it may read and write all buckets, their tables and files, and the configurations of all components. Else it follows from the role.',
    }),
    canManageTokens: granted,
    canReadAllFileUploads: granted,
    canPurgeTrash: granted,
    canCreateJobs: granted,
    // Of some clients an empty one is an empty array.
    bucketPermissions: maybe(z.union([z.record(z.string(), z.string()), z.array(z.unknown()).max(0)])).meta({
      description:
        'Buckets that the token may read (`read`), or read and change (`write`), by their ids; it sees no others, and is of role `limited`. Files it sees that it prepared itself.',
      examples: [{ 'in.c-shop': 'write' }],
    }),
    componentAccess: maybe(z.array(z.string()).max(maxNamed)).meta({
      description:
        'Components whose configurations the token may read and write; it sees no others, and is of role `limited`.',
      examples: [['generic-extractor']],
    }),
  })
  .meta({ id: 'CreateTokenBody' });

export type CreateTokenBody = z.output<typeof createTokenBody>;
