import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonText } from '../core/parse-json-text.ts';

const shape = z.object({
  pid: z.int().positive(),
  admin: z.url(),
  ingest: z.url().optional(),
  startedAt: z.iso.datetime(),
});

/**
 * Where the process that works on a data folder listens. It only helps commands to find the process. That there is just
 * one process is ensured by the folder's lock.
 */
export type RunFile = Readonly<z.infer<typeof shape>>;

const fileName = 'run.json';

/** Writes it whole or not at all, readable by the owner only. */
export async function writeRunFile(dataDir: string, content: RunFile): Promise<void> {
  const temporary = join(dataDir, `.${fileName}.${content.pid}`);
  await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, join(dataDir, fileName));
}

/** Undefined when there is none, or none that this version wrote. A process that was killed leaves its file behind. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  try {
    return shape.safeParse(parseJsonText(await readFile(join(dataDir, fileName), 'utf8'))).data;
  } catch (thrown) {
    if (thrown instanceof SyntaxError || isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** Removes the file if it is still that of process `pid`. */
export async function removeRunFile(dataDir: string, pid: number): Promise<void> {
  if ((await readRunFile(dataDir))?.pid === pid) await rm(join(dataDir, fileName), { force: true });
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}
