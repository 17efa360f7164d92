import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createApiClient, type ApiClient } from '../client/api-client.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { FoundProcess } from './find-process.ts';
import type { TaskShape } from './api-shapes.ts';
import { nameAdvice } from './name-advice.ts';

/** Either the body of an answer, or that of a refusal. */
interface Answer<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** One call of the API. */
export type Ask<Body> = (api: ApiClient) => Promise<Answer<Body>>;

/** The error bodies of the product: `{error: name, message}`, and `{error: message, code}` of storage and of jobs. */
const errorShape = z.object({
  message: z.string().optional(),
  error: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
});

/** How the names of errors begin with which ingest answers; the API has others. */
const ingestErrors = 'stream.in.';

const firstPollMs = 50;
const slowestPollMs = 1000;

/** Calls of the admin API of one process, and the errors that a person can use. */
export class Transport {
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #api: ApiClient;

  constructor({ url, token }: FoundProcess, signal: AbortSignal) {
    this.#url = url;
    this.#signal = signal;
    this.#api = createApiClient({ url, token: token.reveal(), signal });
  }

  /** The body of a 2xx answer as it came. No answer: `client.unreachable`; 401: `client.unauthorized`; else `client.refused`. */
  async ask<Body>(ask: Ask<Body>): Promise<Body> {
    const { data, error, response } = await ask(this.#api).catch((thrown: unknown) => {
      throw this.#failure(thrown);
    });
    if (!response.ok) throw await this.#refusal(response, error);
    if (data === undefined) throw this.#foreign(undefined);
    return data;
  }

  /** Starts an operation and waits until its task has ended; an error of the task is `client.refused` with its reason. */
  async task(ask: Ask<TaskShape>): Promise<TaskShape> {
    let task = await this.ask(ask);
    for (let waitMs = firstPollMs; !task.isFinished; waitMs = Math.min(waitMs * 2, slowestPollMs)) {
      await sleep(waitMs, undefined, { signal: this.#signal });
      const path = { taskId: task.taskId };
      task = await this.ask((api) => api.GET('/v1/tasks/{taskId}', { params: { path } }));
    }
    if (task.status === 'error') throw new MillraceError('client.refused', task.error ?? 'The task failed.');
    return task;
  }

  #failure(thrown: unknown): unknown {
    if (this.#signal.aborted) return thrown;
    return thrown instanceof SyntaxError ? this.#foreign(thrown) : this.#unreachable(thrown);
  }

  #unreachable(thrown: unknown): MillraceError {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';
    const reason = cause === '' ? '' : `: ${cause}`;
    return new MillraceError('client.unreachable', `No answer from ${this.#url}${reason}.`, { cause: thrown });
  }

  #foreign(cause: unknown): MillraceError {
    return new MillraceError('client.unreachable', `What answers at ${this.#url} is not Millrace.`, { cause });
  }

  #ingest(): MillraceError {
    const message = `What answers at ${this.#url} takes events; commands need the URL of the admin API, by default on port 8000.`;
    return new MillraceError('client.unreachable', message);
  }

  async #refusal({ status, url }: Response, body: unknown): Promise<MillraceError> {
    // A body that is not JSON comes as text.
    if (typeof body !== 'object') return this.#foreign(body);
    const parsed = errorShape.safeParse(body).data;
    if (parsed?.error?.startsWith(ingestErrors)) return this.#ingest();
    const message = parsed?.message ?? parsed?.error ?? `The process answered with status ${status}.`;
    const advice =
      status === 404 || status === 409 ? await nameAdvice(this.#api, { url, error: parsed?.error }) : undefined;
    const text = advice === undefined ? message : `${message} ${advice}`;
    return new MillraceError(status === 401 ? 'client.unauthorized' : 'client.refused', text, { details: { status } });
  }
}
