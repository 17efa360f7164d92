import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** True when there is such a program on the path. */
export async function canRun(command: string): Promise<boolean> {
  return (await programOnPath(command)) !== undefined;
}

/** The first of this name on the path; nothing is started for it: Maven's version alone costs half a second. */
export async function programOnPath(command: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const program = join(folder, command);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}
