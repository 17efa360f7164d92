import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadRequest, LoadRow, TableLoads } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { brokenFiles } from './job-disk.ts';
import type { RunLog } from './run-log.ts';

export interface PatientLoadOptions {
  readonly load: string;
  readonly request: LoadRequest;
  readonly log: Pick<RunLog, 'warning'>;
}

/** The load of a job, which is tried as often as its run has the time for. */
export class PatientLoad {
  readonly #loads: TableLoads;
  readonly #options: PatientLoadOptions;
  #hasFailed = false;

  constructor(loads: TableLoads, options: PatientLoadOptions) {
    this.#loads = loads;
    this.#options = options;
  }

  /**
   * Loads, as `TableLoads` says. The first time that the tables are away the log of the job tells why it goes on no further. That its own
   * files cannot be read is a `JobFault`: they are on no other disk.
   */
  async attempt(waiting: Waiting): Promise<LoadRow> {
    const { load, request, log } = this.#options;
    try {
      return await this.#loads.load(load, request, waiting);
    } catch (thrown) {
      if (thrown instanceof MillraceError && thrown.code.startsWith('objects.')) throw brokenFiles(thrown.code, thrown);
      if (thrown instanceof MillraceError && thrown.retryable && !this.#hasFailed) {
        this.#hasFailed = true;
        log.warning('The tables cannot be loaded at present; it is tried again until the time of the job is over.');
      }
      throw thrown;
    }
  }
}
