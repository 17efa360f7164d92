import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../adapters/system-code.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';

/** Version of the layout of a backup. */
export const backupFormat = 1;

const fileSchema = z.object({
  /** Within the folder, with `/`. */
  path: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$)).+$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const schema = z.object({
  format: z.int().positive(),
  /** Version of the product that made it. */
  version: z.string(),
  /** The moment that it shows, ISO: what was acknowledged before is in it. */
  at: z.iso.datetime(),
  files: z.array(fileSchema),
});

/** What a backup holds; written last, so a folder without it is no backup. */
export type BackupManifest = z.infer<typeof schema>;
export type BackupFile = BackupManifest['files'][number];

export const manifestName = 'backup.json';

/** Files of a backup that are made into something else; all others are copied as they are. */
export const dumps = { catalog: 'catalog.dump', sinkLog: 'log/sinks.dump', sourceLog: 'log/sources.dump' } as const;

/** The manifest of a folder. `data.unusable` when it is no backup, or not a whole one; `data.newerFormat`. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    const reason = systemCode(thrown) === 'ENOENT' ? 'it is not there' : messageOf(thrown);
    throw unusable(
      `"${folder}" is no backup, or was not finished: its "${manifestName}" cannot be read: ${reason}`,
      thrown,
    );
  });
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) throw unusable(`"${path}" is damaged: it does not say what a backup says`);
  if (parsed.data.format > backupFormat)
    throw new MillraceError(
      'data.newerFormat',
      `the backup "${folder}" has format ${parsed.data.format}, this version reads up to ${backupFormat}`,
    );
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

function unusable(message: string, cause?: unknown): MillraceError {
  return new MillraceError('data.unusable', message, cause === undefined ? {} : { cause });
}
