import type { Sink } from '../../core/sink.ts';
import { progressId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readStatuses } from '../store/read-statuses.ts';
import { sinkFiles, type SinkFile } from './sink-files.ts';
import { readLevels } from './sink-levels.ts';

type SinkFilesParts = Pick<Parts, 'catalog' | 'clock'> & Parameters<typeof readLevels>[0];

/** The files of a sink and of its deleted incarnations whose progress is still there, as far as the history has them. */
export async function readSinkFiles(parts: SinkFilesParts, sink: Sink, options: Waiting): Promise<readonly SinkFile[]> {
  const files: SinkFile[] = [];
  const createdAt = Date.parse(sink.created.at);
  for (const { incarnation } of [...(await parts.definitions.earlierOf(sink, options)), sink]) {
    const found = await readLevels(parts, incarnation, options);
    if (found === undefined) continue;
    const notes = await parts.definitions.imports(incarnation, options);
    const statuses = await readStatuses(parts, `${progressId(incarnation)}/`, options);
    files.push(...sinkFiles({ ...found, notes, statuses, createdAt }));
  }
  return files;
}
