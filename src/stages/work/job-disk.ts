import { statfs } from 'node:fs/promises';
import { JobFault } from './job-fault.ts';

export interface JobDiskOptions {
  /** Of the local files of jobs. */
  readonly folder: string;
  /** Of all jobs of this process together. */
  readonly bytes: number;
  /** So much of the disk stays free for whoever else writes to it. */
  readonly reserveBytes: number;
}

/** Between two looks at the disk. */
const lookBytes = 16 * 1024 ** 2;

/** The disk that the jobs of a process share: nobody takes more than there is, and a job that does not fit ends in words. */
export class JobDisk {
  readonly #options: JobDiskOptions;
  #taken = 0;
  #sinceLook = Number.POSITIVE_INFINITY;

  constructor(options: JobDiskOptions) {
    this.#options = options;
  }

  /** A share without anything in it. */
  share(): DiskShare {
    return new DiskShare(this);
  }

  /** Before so many bytes are written. `JobFault` when they are too many. */
  async take(bytes: number): Promise<void> {
    const { bytes: most, folder, reserveBytes } = this.#options;
    if (this.#taken + bytes > most)
      throw tooMuch(`the jobs of this process may take ${most} bytes of its disk together`);
    this.#taken += bytes;
    this.#sinceLook += bytes;
    if (this.#sinceLook < lookBytes) return;
    try {
      this.#sinceLook = 0;
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < reserveBytes + bytes) throw isFull();
    } catch (thrown) {
      // The next one looks again, and nobody has what was refused.
      this.#sinceLook = Number.POSITIVE_INFINITY;
      this.give(bytes);
      throw diskFault(thrown);
    }
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** What one job has of the disk. */
export class DiskShare implements Disposable {
  readonly #disk: JobDisk;
  #bytes = 0;

  constructor(disk: JobDisk) {
    this.#disk = disk;
  }

  async take(bytes: number): Promise<void> {
    await this.#disk.take(bytes);
    this.#bytes += bytes;
  }

  [Symbol.dispose](): void {
    this.#disk.give(this.#bytes);
    this.#bytes = 0;
  }
}

function tooMuch(why: string): JobFault {
  return new JobFault('application', `The job was ended because ${why}. Nothing was loaded.`);
}

function isFull(): JobFault {
  return tooMuch('the disk of this process is full');
}

/** What the system threw for a local file of a job, in words for its owner; anything else as it is. */
export function diskFault(thrown: unknown): unknown {
  const code = systemCodeOf(thrown);
  if (code === undefined) return thrown;
  return code === 'ENOSPC' || code === 'EDQUOT' ? isFull() : brokenFiles(code, thrown);
}

/** `what` happened to the local files of a job when they were read or written. */
export function brokenFiles(what: string, cause: unknown): JobFault {
  const message = `The job was ended because its files on the disk of this process could not be read or written: ${what}. Nothing was loaded.`;
  return new JobFault('application', message, { cause });
}

function systemCodeOf(thrown: unknown): string | undefined {
  const isOfSystem = thrown instanceof Error && 'syscall' in thrown && 'code' in thrown;
  return isOfSystem && typeof thrown.code === 'string' ? thrown.code : undefined;
}
