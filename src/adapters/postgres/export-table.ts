import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { PostgresClient, PostgresConnection } from './client.ts';
import { beginReading } from './preview-rows.ts';
import { ProgressWatch } from './progress-watch.ts';
import type { TableLimits } from './table-config.ts';
import { identifier, literal, storedColumn, tableOf } from './table-names.ts';

export interface WantedText {
  readonly tableId: TableId;
  readonly format: 'csv' | 'ndjson';
  readonly hasHeader: boolean;
  readonly signal: AbortSignal;
  /** Called once, when the connection is free again. */
  readonly onEnd: () => void;
}

export interface TextExport {
  readonly columns: readonly string[];
  readonly lines: Readable;
}

const bufferBytes = 256 * 1024;

/**
 * The table as of one moment, as a stream that the server fills while it is read. It holds a connection and a snapshot
 * until it ends, is destroyed, or stands unread for too long. Rejects with `table.notFound` before there is a stream;
 * the stream fails with the errors of the port.
 */
export async function exportText(client: PostgresClient, limits: TableLimits, wanted: WantedText): Promise<TextExport> {
  const { tableId, format, hasHeader, signal, onEnd } = wanted;
  const watch = new ProgressWatch(signal, { stillMs: limits.exportPauseMs, reason: () => unread(tableId, limits) });
  const lines = new Transform({
    highWaterMark: bufferBytes,
    transform: (chunk, _encoding, done) => {
      watch.progress();
      done(null, chunk);
    },
  });
  const begun = Promise.withResolvers<TextExport>();
  const work = async (connection: PostgresConnection): Promise<void> => {
    const table = await beginReading(connection, tableId);
    const columns = table.columns.map(({ name }) => name);
    await connection.query('SET LOCAL statement_timeout = 0');
    const rows = connection.query(copyTo(copyStatement(tableId, columns, format)));
    // The pipeline below has the error already; a connection that breaks later must not end the process.
    rows.on('error', () => {});
    if (hasHeader) lines.write(`${columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`);
    begun.resolve({ columns, lines });
    await pipeline(rows, lines);
    await connection.query('COMMIT');
  };
  const fail = (thrown: unknown): void => {
    begun.reject(thrown);
    lines.destroy(thrown instanceof Error ? thrown : undefined);
  };
  // Who reads the stream sees its error; one that nobody reads any more must not end the process.
  lines.on('error', () => {}).once('close', () => watch[Symbol.dispose]());
  watch.signal.addEventListener('abort', () => fail(watch.signal.reason), { once: true });
  client.withConnection(work, { signal: watch.signal }).catch(fail).finally(onEnd);
  return await begun.promise;
}

/**
 * CSV with all cells quoted, or one JSON object a line. JSON never holds the control characters that stand for quote and
 * delimiter here, so that its lines come out as they are.
 */
function copyStatement(tableId: TableId, names: readonly string[], format: 'csv' | 'ndjson'): string {
  const cells = names.map((name) => `coalesce(${identifier(storedColumn(name))}::text, '')`);
  switch (format) {
    case 'csv': {
      const list = cells.map((cell, at) => `${cell} AS c${at}`).join(', ');
      return `COPY (SELECT ${list} FROM ${tableOf(tableId)}) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE *, ENCODING 'UTF8')`;
    }
    case 'ndjson': {
      const members = cells.map((cell, at) => {
        const key = literal(`${at === 0 ? '{' : ','}${JSON.stringify(names[at])}:`);
        return `${key} || to_json(${cell})::text`;
      });
      const line = `${members.join(' || ')} || '}'`;
      return `COPY (SELECT ${line} FROM ${tableOf(tableId)})
        TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02', ENCODING 'UTF8')`;
    }
    default:
      return format satisfies never;
  }
}

function unread(tableId: TableId, { exportPauseMs }: TableLimits): MillraceError {
  const seconds = exportPauseMs / 1000;
  return new MillraceError(
    'table.unavailable',
    `the export of "${tableId}" was not read for ${seconds} s and is given up`,
  );
}
