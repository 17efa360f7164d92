import type { MessagePort } from 'node:worker_threads';
import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadRequest, LoadRow, TableLoad, TableLoads } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { FromLoads, LoadsCall, SentContent, SentTable, ToLoads } from './loads-messages.ts';

/** The loads of a thread that has no tables of its own: it asks the thread of the process that has them. Content must be files. */
export class AskedLoads implements TableLoads {
  readonly #port: MessagePort;
  readonly #asked = new Map<number, (answer: FromLoads) => void>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: FromLoads) => {
      this.#asked.get(answer.id)?.(answer);
      this.#asked.delete(answer.id);
    });
    // What the thread does keeps it alive, and not what it may ask.
    port.unref();
  }

  async openLoad(load: string, options: Waiting): Promise<void> {
    await this.#ask({ method: 'openLoad', load }, options);
  }

  readLoad(load: string, options: Waiting): Promise<LoadRow | undefined> {
    return this.#ask({ method: 'readLoad', load }, options);
  }

  async load(load: string, { tables, note }: LoadRequest, options: Waiting): Promise<LoadRow> {
    return rowOf(await this.#ask({ method: 'load', load, request: { note, tables: tables.map(sentTable) } }, options));
  }

  async abandonLoad(load: string, options: Waiting): Promise<LoadRow> {
    return rowOf(await this.#ask({ method: 'abandonLoad', load }, options));
  }

  async forgetLoad(load: string, options: Waiting): Promise<void> {
    await this.#ask({ method: 'forgetLoad', load }, options);
  }

  async #ask(call: LoadsCall, { signal }: Waiting): Promise<LoadRow | undefined> {
    signal.throwIfAborted();
    this.#last += 1;
    const id = this.#last;
    const answered = Promise.withResolvers<FromLoads>();
    this.#asked.set(id, answered.resolve);
    const giveUp = (): void => {
      this.#asked.delete(id);
      this.#say({ kind: 'abort', id });
      answered.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      this.#say({ kind: 'call', id, call });
      const answer = await answered.promise;
      if (answer.kind === 'done') return answer.row;
      const { code, message, details } = answer;
      throw new MillraceError(code, message, { details });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #say(message: ToLoads): void {
    this.#port.postMessage(message);
  }
}

function rowOf(row: LoadRow | undefined): LoadRow {
  if (row === undefined) throw new MillraceError('internal.bug', 'a load has no row in the ledger after it was moved');
  return row;
}

function sentTable({ rows, ...table }: TableLoad): SentTable {
  return { ...table, rows: rows.map(sentContent) };
}

function sentContent(content: TableLoad['rows'][number]): SentContent {
  const { name, bytes, checksum, compressed, localPath } = content;
  if (localPath === undefined)
    throw new MillraceError('internal.bug', `"${name}" is no file, and cannot be loaded by another thread`);
  return { name, bytes, localPath, ...(checksum && { checksum }), ...(compressed && { compressed }) };
}
