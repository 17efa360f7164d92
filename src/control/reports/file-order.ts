import type { SinkFile } from './sink-files.ts';

/** Imported files, then those that get on, then those that do not; each group by the time they were opened. */
export function byState(files: readonly SinkFile[]): readonly SinkFile[] {
  return files.toSorted((a, b) => rank(a) - rank(b) || a.openedAt - b.openedAt);
}

/** The newest first. */
export function newestFirst(files: readonly SinkFile[]): readonly SinkFile[] {
  return files.toReversed().toSorted((a, b) => b.openedAt - a.openedAt);
}

/** Files whose import failed and is tried again. */
export function failedOnly(files: readonly SinkFile[]): readonly SinkFile[] {
  return files.filter(({ state, retry }) => state !== 'imported' && retry !== undefined);
}

function rank({ state, retry }: SinkFile): number {
  if (state === 'imported') return 0;
  return retry === undefined ? 1 : 2;
}
