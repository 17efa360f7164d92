import type { Column } from '../../core/column.ts';
import type { LetterScope } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import { mappingId } from '../../documents/document-id.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readLetters, type Letter } from './read-letters.ts';

export interface ShownLetter {
  readonly letter: Letter;
  /**
   * The column that refused the event, as that version of the mapping had it; absent when the whole event was refused, or the mapping is
   * not kept.
   */
  readonly column?: Column;
}

/** Sinks of a source are not more than that, and each makes one dead letter of an event at most. */
const most = 1000;

/** All dead letters of one event, one for each sink that refused it. */
export async function showLetters(
  parts: Pick<Parts, 'catalog' | 'definitions' | 'pages'>,
  { eventId, ...scope }: LetterScope & { readonly eventId: string },
  options: Waiting,
): Promise<readonly ShownLetter[]> {
  const { letters } = await readLetters(parts, { scope, filter: { eventId }, limit: most }, options);
  return Promise.all(
    letters.map(async (letter) => {
      const column = await columnOf(parts, letter, options);
      return { letter, ...(column === undefined ? {} : { column }) };
    }),
  );
}

async function columnOf(
  { catalog }: Pick<Parts, 'catalog'>,
  letter: Letter,
  options: Waiting,
): Promise<Column | undefined> {
  const [incarnation, version] = [Number(letter.incarnation), Number(letter.mapping_version)];
  if (letter.column === '' || !Number.isSafeInteger(incarnation) || !Number.isSafeInteger(version)) return undefined;
  const id = mappingId(incarnation as Incarnation, version);
  const found = await readDocument(catalog, { kind: mappingDocuments, id }, options);
  return found?.value.columns.find(({ name }) => name === letter.column);
}
