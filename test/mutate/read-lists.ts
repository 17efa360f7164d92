import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import type { Mutation } from './mutation.ts';

const text = z.string().min(1);
const list = z.object({
  mutations: z
    .array(
      z.strictObject({
        rule: text,
        file: text,
        from: text,
        to: z.string(),
        test: z.strictObject({ file: text, title: text }),
      }),
    )
    .readonly(),
});

/** Every mutation of the lists in a folder, in the order of their files. */
export async function readLists(folder: URL): Promise<readonly Mutation[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mutations.ts')).toSorted();
  const read: Mutation[] = [];
  for (const name of names) {
    const exported: unknown = await import(new URL(name, folder).href);
    const { data, error } = list.safeParse(exported);
    if (error !== undefined) throw new Error(`${name}: ${z.prettifyError(error)}`);
    read.push(...data.mutations);
  }
  return read;
}
