import { isAbsolute, join, relative } from 'node:path';

/** A text that names pages of the documentation, each by where its file is, as seen from the folder where the command works. */
export function withPagePaths(
  text: string,
  { folder, workingDir }: { readonly folder: string; readonly workingDir: string },
): string {
  return text.replaceAll(/(?<![\w/])docs\/(?:guides|spec)\/[\w-]+\.md\b/g, (page) => {
    const file = join(folder, page);
    const near = relative(workingDir, file);
    return near.startsWith('..') || isAbsolute(near) ? file : near;
  });
}
