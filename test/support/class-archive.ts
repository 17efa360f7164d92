import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { programOnPath } from './can-run.ts';
import { madeOnce } from './made-once.ts';

/**
 * The option by which Java reads the classes of a program from an archive instead of its jars, which saves a third of a start. The
 * first use makes the archive: `run` runs the program with the option that it is given, and ends it in an orderly way. `name` changes
 * with the class path.
 */
export async function classArchive(name: string, run: (option: string) => Promise<void>): Promise<string> {
  const file = await madeOnce(`${name}-classes-${await javaFingerprint()}.jsa`, async (work) => {
    await run(`-XX:ArchiveClassesAtExit=${join(work, 'classes.jsa')}`);
    return 'classes.jsa';
  });
  return `-XX:SharedArchiveFile=${file}`;
}

/** An archive is read only by the Java that wrote it. */
async function javaFingerprint(): Promise<string> {
  const program = await realpath((await programOnPath('java')) ?? 'java');
  const { mtimeMs, size } = await stat(program);
  return createHash('sha256').update(`${program} ${mtimeMs} ${size}`).digest('hex').slice(0, 12);
}
