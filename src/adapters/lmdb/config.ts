/** How an LMDB environment is opened. Every thread of the process opens the same folder with the same values. */
export interface EnvironmentOptions {
  /** A folder; made when it is missing. */
  readonly path: string;
  /** What the folder holds, for example `log`; a folder of another kind is `data.unusable`. */
  readonly kind: string;
  /**
   * Version of the layout that the caller reads and writes, from 1; a higher one on disk is `data.newerFormat`, a lower one becomes
   * this one.
   */
  readonly format: number;
  /** Address space of the map, the upper bound of the file. Costs nothing until used. */
  readonly mapBytes?: number;
}

/**
 * One tebibyte: the map never has to grow. Growing would map the file anew while other threads read through the old
 * map, which the driver allows, but which brings nothing on a 64-bit machine.
 */
export const defaultMapBytes = 2 ** 40;

/** Each open store of each thread holds one slot, and one more for each snapshot that is still referenced. */
export const maxReaders = 512;

export const maxNamedDatabases = 16;
