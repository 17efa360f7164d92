import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { MillraceError } from '../../core/millrace-error.ts';
import type { FoundProcess } from './find-process.ts';
import type { TaskShape } from './api-shapes.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

/** Both error bodies of the product: `{error: name, message}` and the storage interface's `{error: message, code}`. */
const errorShape = z.object({
  message: z.string().optional(),
  error: z.string().optional(),
  code: z.string().optional(),
});

const firstPollMs = 50;
const slowestPollMs = 1000;

/** Requests to the admin API of one process, and the errors that a person can use. */
export class Transport {
  readonly #process: FoundProcess;
  readonly #signal: AbortSignal;

  constructor(process: FoundProcess, signal: AbortSignal) {
    this.#process = process;
    this.#signal = signal;
  }

  /** The body of a 2xx answer as it came. No answer: `client.unreachable`; 401: `client.unauthorized`; else `client.refused`. */
  async json<Shape>(request: ApiRequest): Promise<Shape> {
    const response = await this.send(request);
    const text = await response.text();
    try {
      // The API is the product's own: what it answers has the shape that its schema names.
      return JSON.parse(text) as Shape;
    } catch (thrown) {
      throw this.#foreign(thrown);
    }
  }

  /** The answer with its body unread, errors as in `json`. */
  async send({ method = 'GET', path, query = {}, body }: ApiRequest): Promise<Response> {
    const url = new URL(`${this.#process.url}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const headers = { 'X-StorageApi-Token': this.#process.token.reveal(), 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, headers, ...content, signal: this.#signal }).catch(
      (thrown: unknown) => {
        throw this.#signal.aborted ? thrown : this.#unreachable(thrown);
      },
    );
    if (response.ok) return response;
    throw this.#refusal(response.status, await response.text());
  }

  /** Starts an operation and waits until its task has ended; an error of the task is `client.refused` with its reason. */
  async task(request: ApiRequest): Promise<TaskShape> {
    let task = await this.json<TaskShape>(request);
    for (let waitMs = firstPollMs; !task.isFinished; waitMs = Math.min(waitMs * 2, slowestPollMs)) {
      await sleep(waitMs, undefined, { signal: this.#signal });
      task = await this.json<TaskShape>({ path: `/v1/tasks/${task.taskId}` });
    }
    if (task.status === 'error') throw new MillraceError('client.refused', task.error ?? 'The task failed.');
    return task;
  }

  #unreachable(thrown: unknown): MillraceError {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';
    const reason = cause === '' ? '' : `: ${cause}`;
    return new MillraceError('client.unreachable', `No answer from ${this.#process.url}${reason}.`, { cause: thrown });
  }

  #foreign(cause: unknown): MillraceError {
    return new MillraceError('client.unreachable', `What answers at ${this.#process.url} is not Millrace.`, { cause });
  }

  #refusal(status: number, text: string): MillraceError {
    let parsed;
    try {
      parsed = errorShape.safeParse(JSON.parse(text)).data;
    } catch (thrown) {
      return this.#foreign(thrown);
    }
    const message = parsed?.message ?? parsed?.error ?? `The process answered with status ${status}.`;
    return new MillraceError(status === 401 ? 'client.unauthorized' : 'client.refused', message, {
      details: { status },
    });
  }
}
