import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the entries of a folder, or the content of a file, survive a power failure; answers how many bytes a file has. */
export async function sync(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const [{ size }] = await Promise.all([file.stat(), file.sync()]);
    return size;
  } finally {
    await file.close();
  }
}

/** Makes the folder and what is missing above it; each entry it made is durable when it resolves. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await sync(dirname(made));
}
