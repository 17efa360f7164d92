import type { SinkProgress } from './sink-progress.ts';

/** Of so many mapping versions the document says when their files were opened: slices of older ones come late, and seldom. */
const keptVersions = 8;

/**
 * When the file was opened that takes the slices of a mapping version, milliseconds since the epoch: when the one before it was closed for
 * its import, when the mapping came, or when the sink was made. It goes by nothing that is staged later. Undefined where an earlier version
 * of the product has not noted it.
 */
export function openingOf(progress: SinkProgress, mappingVersion: number): number | undefined {
  const noted = progress.filesOpened?.[mappingVersion];
  if (mappingVersion !== progress.mappingVersion) return noted;
  const closed = closedByEarlierRelease(progress);
  return noted === undefined || closed === undefined ? (noted ?? closed) : Math.max(noted, closed);
}

/** An earlier version of the product notes no opening: the file began with the import that it started last. */
function closedByEarlierRelease({ importing, lastImport }: SinkProgress): number | undefined {
  const closing = importing ?? lastImport;
  return closing === undefined || closing.openedAt !== undefined ? undefined : (closing.startedAt ?? lastImport?.at);
}

/** The note that the file of a mapping version was opened then; of an unknown time it notes nothing. */
export function withOpening(
  { filesOpened }: SinkProgress,
  { mappingVersion, at }: { readonly mappingVersion: number; readonly at: number | undefined },
): Pick<SinkProgress, 'filesOpened'> {
  if (at === undefined) return {};
  const noted: Record<string, number> = { ...filesOpened, [mappingVersion]: at };
  const versions = Object.entries(noted);
  const newest = versions.toSorted(([a], [b]) => Number(b) - Number(a)).slice(0, keptVersions);
  return { filesOpened: Object.fromEntries(newest.toReversed()) };
}
