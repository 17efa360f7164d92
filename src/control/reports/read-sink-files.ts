import type { SinkKey } from '../../core/ids.ts';
import { progressId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readStatuses } from '../store/read-statuses.ts';
import { sinkFiles, type SinkFile } from './sink-files.ts';
import { readLevels } from './sink-levels.ts';

type SinkFilesParts = Pick<Parts, 'catalog' | 'clock'> & Parameters<typeof readLevels>[0];

/** The files of a sink, as far as its history has them; `source.notFound`, `sink.notFound`. */
export async function readSinkFiles(
  parts: SinkFilesParts,
  key: SinkKey,
  options: Waiting,
): Promise<readonly SinkFile[]> {
  const { incarnation, created } = await parts.definitions.sink(key, options);
  const { progress, local } = await readLevels(parts, incarnation, options);
  const notes = await parts.definitions.imports(incarnation, options);
  const statuses = await readStatuses(parts, `${progressId(incarnation)}/`, options);
  return sinkFiles({ progress, local, notes, statuses, createdAt: Date.parse(created.at) });
}
