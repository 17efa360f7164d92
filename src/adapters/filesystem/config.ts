export interface FileSystemConfig {
  /** Absolute path of the folder of all objects; made when it is missing. */
  readonly folder: string;
  /**
   * Removes the temporary files of a process that ended in the middle of a put, and folders without objects. True for one
   * store of a process, opened before any other on this folder: it would take files and folders of a running put away.
   */
  readonly removeLeftovers: boolean;
}

/** Temporary files live beside the objects, on the same device; no object name begins with a dot. */
export const temporaryFolder = '.tmp';
