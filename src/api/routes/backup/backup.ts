import { z } from 'zod';
import type { Backups, BackupState } from '../../../control/parts.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { rootTokenId, type Token } from '../../../core/token.ts';
import type { ApiContext } from '../../api-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { boundedText } from '../../schemas/field.ts';
import { defineRoute, ok } from '../../route/route.ts';

const path = '/v1/backup';
const time = z.iso.datetime();

const schema = z
  .object({
    state: z.enum(['running', 'done', 'failed', 'stopped']),
    to: z.string().meta({ description: 'The folder, on the disk of the process.' }),
    startedAt: time,
    finishedAt: time.optional(),
    at: time.optional().meta({ description: 'The moment that it shows, once it is done.' }),
    bytes: z.int(),
    ofBytes: z.int().meta({ description: 'About how many bytes there are.' }),
    error: z.string().optional(),
  })
  .meta({ id: 'Backup' });

const body = z
  .object({
    to: boundedText({ min: 1, max: 4096 }).meta({
      description: 'An absolute path on the disk of the process: of a folder that is not there yet.',
    }),
  })
  .meta({ id: 'StartBackupBody' });

export const startBackupRoute = defineRoute({
  method: 'POST',
  path,
  access: 'write',
  operationId: 'startBackup',
  summary:
    'Begin to copy everything that the process has, as of one moment, into a new folder. For the root token alone.',
  body,
  responses: { 202: { description: 'It runs; ask for it until it is done.', schema } },
  refuses: ['backupRefused'],
  handle: async ({ body: { to } }, context, { token, signal }) => {
    requireRoot(token);
    return { kind: 'json', status: 202, body: view(await backupsOf(context).start(to, { signal })) };
  },
});

export const getBackupRoute = defineRoute({
  method: 'GET',
  path,
  access: 'read',
  operationId: 'getBackup',
  summary: 'Show the backup that this process began last.',
  responses: { 200: { description: 'How far it is.', schema } },
  refuses: ['backupRefused', 'backupNotFound'],
  handle: async (_, context) => ok(found(backupsOf(context).last())),
});

export const stopBackupRoute = defineRoute({
  method: 'DELETE',
  path,
  access: 'write',
  operationId: 'stopBackup',
  summary: 'End the backup that runs; nothing is left of it. For the root token alone.',
  responses: { 200: { description: 'It runs no more.', schema } },
  refuses: ['backupRefused', 'backupNotFound'],
  handle: async (_, context, { token }) => {
    requireRoot(token);
    return ok(found(await backupsOf(context).stop()));
  },
});

/** It holds what no other token may know: the root token, and the key that secrets are encrypted with. */
function requireRoot(token: Token | undefined): void {
  if (token?.id !== rootTokenId) throw new ApiError('forbidden', 'a backup is made with the root token alone');
}

function backupsOf({ backups }: Pick<ApiContext, 'backups'>): Backups {
  if (backups !== undefined) return backups;
  const text =
    'this installation is a cluster: its catalog, log, staging and tables are servers, which are backed up together, of one moment';
  throw new MillraceError('backup.refused', text);
}

function found(state: BackupState | undefined): z.input<typeof schema> {
  if (state !== undefined) return view(state);
  throw new ApiError('backupNotFound', 'this process has begun no backup since it started');
}

function view(state: BackupState): z.input<typeof schema> {
  return { ...state };
}
