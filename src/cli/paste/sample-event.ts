import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { columnOf, type ColumnInput } from '../../core/column.ts';
import { reservedHeaders } from '../../core/event.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseTableId } from '../../core/table-id.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { eventOfRecord } from '../../mapping/event-of-record.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { parsePath, type PathStep } from '../../mapping/path.ts';

/** What a field may hold, until the columns take the event: templates may want numbers. */
const values = ['world', 1, [1], {}];

/** The body of an event that these columns make a row of, as one line; undefined when none is found. */
export function sampleEvent(columns: readonly ColumnInput[]): string | undefined {
  const paths = columns.flatMap(readPaths);
  const bodies = values.map((value) => bodyWith(paths.length === 0 ? ['hello'] : paths, value));
  return bodies.find((body) => makesRow(columns, body));
}

/** Of a template only what it names as a literal is found. */
function readPaths({ path, template }: ColumnInput): readonly string[] {
  if (path !== undefined) return [path];
  const reads = template?.content.matchAll(/\bBody\(\s*(["'])(?<path>(?:(?!\1).)+)\1/g) ?? [];
  return [...reads].flatMap(({ groups }) => groups?.['path'] ?? []);
}

function bodyWith(paths: readonly string[], value: unknown): string {
  let body: unknown;
  for (const path of paths) {
    const parsed = parsePath(path);
    if (parsed.kind === 'path') body = withValue(body, parsed.steps, value);
  }
  return JSON.stringify(body ?? value);
}

/** The deepest index of an array that a made-up body has. */
const mostElements = 100;

/** What is there already is kept where both want the same place. */
function withValue(into: unknown, [step, ...rest]: readonly PathStep[], value: unknown): unknown {
  if (step === undefined) return into ?? value;
  const { kind, text } = step;
  if (kind === 'index') {
    const index = Math.min(Number(text), mostElements);
    const elements: readonly unknown[] = Array.isArray(into) ? into : [];
    const length = Math.max(elements.length, index + 1);
    return Array.from({ length }, (_, at) =>
      at === index ? withValue(elements[at], rest, value) : (elements[at] ?? value),
    );
  }
  const object = typeof into === 'object' && into !== null && !Array.isArray(into) ? into : {};
  const held: unknown = Object.entries(object).find(([key]) => key === text)?.[1];
  return { ...object, [text]: withValue(held, rest, value) };
}

function makesRow(columns: readonly ColumnInput[], body: string): boolean {
  const mapping = {
    incarnation: parseIncarnation(1),
    version: 1,
    tableId: parseTableId('in.c-sample.event'),
    columns: columns.map(columnOf),
    allowedSignals: [],
  };
  const compiled = compileMapping(mapping, { templates: createTemplates() });
  const headers = ['Content-Type', 'application/json', reservedHeaders.id, randomUUID()];
  const record = {
    value: Buffer.from(body),
    headers: [...headers, reservedHeaders.remoteAddress, '127.0.0.1'],
    timestamp: Date.now(),
  };
  const event = eventOfRecord(record, { topic: 'command line', partition: 0, offset: 0 });
  return compiled.mapEvent(event, new LineWriter()).kind === 'row';
}
