import { given, type Given, type Schemas } from '../../client/api-client.ts';
import type { JobEventShape, JobShape } from '../api-shapes.ts';
import type { Transport } from '../transport.ts';

export type JobAsked = Given<Schemas['CreateJobBody']>;

export interface JobsAsked {
  readonly limit: number;
  readonly status?: string;
  readonly config?: string;
  readonly isScheduled?: 'true' | 'false';
}

/** What one request asks for of a log. */
const pageSize = 1000;

/** What the admin API does with jobs. Errors: see `Transport`. */
export class JobClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(body: JobAsked): Promise<JobShape> {
    const options = { body: given<Schemas['CreateJobBody']>(body) };
    return this.#transport.ask((api) => api.POST('/jobs', options));
  }

  async get(jobId: string): Promise<JobShape> {
    return this.#transport.ask((api) => api.GET('/jobs/{jobId}', { params: { path: { jobId } } }));
  }

  /** The newest first. */
  async search(query: JobsAsked): Promise<readonly JobShape[]> {
    return this.#transport.ask((api) => api.GET('/search/jobs', { params: { query } }));
  }

  async kill(jobId: string): Promise<JobShape> {
    return this.#transport.ask((api) => api.POST('/jobs/{jobId}/kill', { params: { path: { jobId } } }));
  }

  /** The lines of a run after the event of this id, the oldest first; all without one. */
  async eventsSince(runId: string, sinceId: string | undefined): Promise<readonly JobEventShape[]> {
    const newestFirst: JobEventShape[] = [];
    const since = sinceId === undefined ? {} : { sinceId };
    for (;;) {
      const last = newestFirst.at(-1);
      const query = { runId, limit: pageSize, ...since, ...(last === undefined ? {} : { maxId: last.id }) };
      const page = await this.#transport.ask((api) => api.GET('/v2/storage/events', { params: { query } }));
      if (page.length === 0) return newestFirst.toReversed();
      newestFirst.push(...page);
    }
  }
}
