import type { Readable } from 'node:stream';
import type { CsvContent } from '../ports/csv-content.ts';
import type { Waiting } from '../ports/waiting.ts';

/** So many objects are asked for before their turn. What they hold meanwhile is what a connection has read ahead. */
const ahead = 3;

/**
 * Contents to be read one after the other, each asked of its store while those before it are read: a store that takes its time to answer
 * does so once, and not for each object. Whoever ends early ends what is open, too.
 */
export async function* openedAhead(
  contents: readonly CsvContent[],
  { signal }: Waiting,
): AsyncGenerator<CsvContent, void> {
  const opened = new Map<CsvContent, Promise<Readable>>();
  let next = 0;
  try {
    for (const [at, content] of contents.entries()) {
      for (; next < contents.length && next <= at + ahead; next += 1) open(opened, contents[next], signal);
      yield { ...content, open: (waiting) => taken(opened, content) ?? content.open(waiting) };
    }
  } finally {
    for (const stream of opened.values())
      void stream.then(
        (one) => one.destroy(),
        () => undefined,
      );
  }
}

function open(opened: Map<CsvContent, Promise<Readable>>, content: CsvContent | undefined, signal: AbortSignal): void {
  if (content === undefined || content.localPath !== undefined) return;
  // What breaks while it waits is told to whoever reads it; nobody may come to do so.
  const stream = content.open({ signal }).then((one) => one.on('error', () => undefined));
  stream.catch(() => undefined);
  opened.set(content, stream);
}

/** Once: a second reader asks for it again. */
function taken(opened: Map<CsvContent, Promise<Readable>>, content: CsvContent): Promise<Readable> | undefined {
  const stream = opened.get(content);
  opened.delete(content);
  return stream;
}
