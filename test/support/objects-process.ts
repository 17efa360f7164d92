import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openFileSystemObjectStore } from '../../src/adapters/filesystem/object-store.ts';

/**
 * `node objects-process.ts FOLDER COUNT`: puts so many objects at once into a few folders, every second one from a file,
 * and says `put NAME` after each answer.
 */
const [folder = '', count = '0'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
await using store = await openFileSystemObjectStore({ folder, removeLeftovers: true });

async function put(number: number): Promise<void> {
  const name = `${number % 3}/${number % 2}/${number}`;
  const path = join(folder, '..', `${number}.source`);
  if (number % 2 === 0) writeFileSync(path, 'from a file');
  const content =
    number % 2 === 0 ? { kind: 'file' as const, path } : { kind: 'bytes' as const, bytes: Buffer.from('x') };
  await store.put(name, content, waiting);
  writeSync(1, `put ${name}\n`);
}

await Promise.all(Array.from({ length: Number(count) }, (_, number) => put(number)));
