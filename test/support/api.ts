import { setTimeout as sleep } from 'node:timers/promises';
import { checkAnswer } from './described-answer.ts';
import { pauseAfter } from './eventually.ts';

/** `fetch` of the management API for tests: rejects when the answer is not what the API's description says. */
export async function describedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname, search } = new URL(url);
  const contentType = response.headers.get('content-type');
  const { status } = response;
  const text = contentType?.startsWith('application/json') === true ? await response.clone().text() : '';
  checkAnswer({ method: init.method ?? 'GET', path: pathname + search, status, contentType, text });
  return response;
}

/** The management API for tests: JSON in, JSON out, tasks awaited; every answer is what the API's description says. */
export class Api {
  readonly #base: string;
  readonly #token: string;
  readonly #timeoutMs: number | undefined;

  /** `timeoutMs`: a request without an answer rejects after so long; default: the client's own patience. */
  constructor(base: string, token: string, { timeoutMs }: { readonly timeoutMs?: number } = {}) {
    this.#base = base;
    this.#token = token;
    this.#timeoutMs = timeoutMs;
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly text: string }> {
    const response = await describedFetch(path.startsWith('http') ? path : `${this.#base}${path}`, {
      method,
      headers: {
        'X-StorageApi-Token': this.#token,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(this.#timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(this.#timeoutMs) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  }

  /** Rejects on any status of 400 or more. */
  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body as T;
  }

  /** Calls an operation that makes a task, and waits for it; rejects when the task ends in an error. */
  async task(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    let task = await this.call<{ taskId: string; status: string; error?: string }>(method, path, body);
    for (const began = performance.now(); task.status === 'processing';) {
      const waitedMs = performance.now() - began;
      if (waitedMs > 300_000) throw new Error(`task ${task.taskId} did not end within five minutes`);
      await sleep(pauseAfter(waitedMs));
      task = await this.call('GET', `/v1/tasks/${task.taskId}`);
    }
    if (task.status !== 'success') throw new Error(`task ${task.taskId}: ${task.error ?? 'failed without a reason'}`);
    return task;
  }

  /** Rows of a table one by one, as objects of texts, however many there are. */
  async *eachRow(tableId: string): AsyncGenerator<Readonly<Record<string, string>>> {
    const path = `/v2/storage/tables/${tableId}/export?format=ndjson`;
    const response = await fetch(`${this.#base}${path}`, { headers: { 'X-StorageApi-Token': this.#token } });
    if (response.status !== 200 || response.body === null)
      throw new Error(`export of ${tableId}: ${response.status} ${await response.text()}`);
    let line = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const [first = '', ...further] = text.split('\n');
      line += first;
      for (const next of further) {
        yield JSON.parse(line) as Record<string, string>;
        line = next;
      }
    }
    if (line !== '') throw new Error(`export of ${tableId}: it ends within a row`);
  }

  /** Rows of a table, as objects of texts. */
  async rows(tableId: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const { status, text } = await this.request('GET', `/v2/storage/tables/${tableId}/export?format=ndjson`);
    if (status !== 200) throw new Error(`export of ${tableId}: ${status} ${text}`);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, string>);
  }
}
