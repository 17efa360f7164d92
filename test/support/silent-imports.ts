import type { ImportObserver } from '../../src/telemetry/observe-import.ts';

/** Hears everything and says nothing. */
export const silentImports: ImportObserver = {
  importStarted: () => undefined,
  importFinished: () => undefined,
  importAbandoned: () => undefined,
  lettersReplayed: () => undefined,
  lettersPassed: () => undefined,
  replayEnded: () => undefined,
  slicesParked: () => undefined,
  sliceDamaged: () => undefined,
  sliceGivenUp: () => undefined,
  holesFound: () => undefined,
  incarnationPurged: () => undefined,
  objectsCollected: () => undefined,
};
