import { createReadStream } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadRow, TableLoad, TableLoads } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { FromLoads, LoadsCall, SentContent, SentTable, ToLoads } from './loads-messages.ts';

/** Does for another thread what it asks of the tables of this one, until the port is closed: then what is under way is aborted. */
export function answerLoads(port: MessagePort, loads: TableLoads): void {
  const running = new Map<number, AbortController>();
  const say = (answer: FromLoads): void => port.postMessage(answer);
  const answer = async (id: number, call: LoadsCall): Promise<void> => {
    const aborter = new AbortController();
    running.set(id, aborter);
    try {
      say({ kind: 'done', id, row: await perform(loads, call, aborter) });
    } catch (thrown) {
      const { code, message, details } = MillraceError.fromUnknown(thrown);
      if (!aborter.signal.aborted) say({ kind: 'failed', id, code, message, details });
    } finally {
      running.delete(id);
    }
  };
  port.on('message', (asked: ToLoads) => {
    if (asked.kind === 'call') void answer(asked.id, asked.call);
    else running.get(asked.id)?.abort();
  });
  port.on('close', () => {
    for (const aborter of running.values()) aborter.abort();
  });
}

async function perform(loads: TableLoads, call: LoadsCall, waiting: Waiting): Promise<LoadRow | undefined> {
  switch (call.method) {
    case 'load': {
      const { note, tables } = call.request;
      return loads.load(call.load, { note, tables: tables.map(received) }, waiting);
    }
    case 'readLoad':
    case 'abandonLoad':
      return loads[call.method](call.load, waiting);
    case 'openLoad':
    case 'forgetLoad':
      await loads[call.method](call.load, waiting);
      return undefined;
    default:
      return call satisfies never;
  }
}

function received({ rows, ...table }: SentTable): TableLoad {
  return { ...table, rows: rows.map(opened) };
}

function opened(content: SentContent): TableLoad['rows'][number] {
  return { ...content, open: () => Promise.resolve(createReadStream(content.localPath)) };
}
