import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { startScript } from './reference-page.ts';

export interface Asset {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const script = 'text/javascript; charset=utf-8';

/** By the name in the address: no other name leads to a file. */
const packaged: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', script],
]);

/** A file of the reference page; undefined when there is none of that name. */
export async function pageAsset(name: string): Promise<Asset | undefined> {
  if (name === 'start.js') return { contentType: script, bytes: Buffer.from(startScript) };
  const contentType = packaged.get(name);
  if (contentType === undefined) return undefined;
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return { contentType, bytes: await readFile(path) };
}
