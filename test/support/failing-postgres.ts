import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Secret } from '../../src/config/secrets.ts';
import { startPostgres, type StartedPostgres } from './postgres.ts';
import { openTableHarness, type TableHarness } from './table-harness.ts';

/** A PostgreSQL that tests kill and start again, with a database for each of them in which there is a table. */
export class FailingPostgres {
  #server: StartedPostgres | undefined;
  #opened: { readonly url: Secret; readonly harness: TableHarness } | undefined;

  /** Registers what starts it before the tests of a `describe`, and ends it behind them. */
  constructor() {
    beforeAll(async () => {
      this.#server = await startPostgres();
    });
    afterAll(() => this.#server?.[Symbol.asyncDispose]());
    beforeEach(async () => {
      const url = await this.server.createDatabase();
      this.#opened = { url, harness: await openTableHarness(url) };
      await this.harness.make();
    });
    afterEach(() => this.#opened?.harness[Symbol.asyncDispose]());
  }

  get server(): StartedPostgres {
    return there(this.#server);
  }

  get url(): Secret {
    return there(this.#opened).url;
  }

  get harness(): TableHarness {
    return there(this.#opened).harness;
  }
}

function there<Made>(made: Made | undefined): Made {
  if (made === undefined) throw new Error('PostgreSQL is there in tests alone');
  return made;
}

/** Settles as what it came to: its value, or the code of an error. */
export function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error));
}
