import type { DeadLetterCells, DeadLetterFilter } from '../../core/dead-letter.ts';
import type { SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Mapping } from '../../core/mapping.ts';
import { mappingId } from '../../documents/document-id.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { requireDocument } from '../../documents/read-document.ts';
import { filteredLetters } from '../../mapping/filtered-letters.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { TriedLetter } from '../trials/trials.ts';
import { askedFilter } from './asked-filter.ts';
import { countMatching, type MatchingLetters } from './replay-letters.ts';

type TryReplayParts = Pick<Parts, 'catalog' | 'clock' | 'definitions' | 'letters' | 'pages' | 'trials'>;

export interface TriedReplay {
  readonly key: SinkKey;
  readonly filter: DeadLetterFilter;
  /** Letters that are tried, at most; the first ones in the order of a replay. */
  readonly limit: number;
}

export interface ReplayTrial extends MatchingLetters {
  readonly mapping: Mapping;
  readonly tried: readonly { readonly letter: DeadLetterCells; readonly outcome: TriedLetter }[];
}

/** What a replay would make of the first letters; nothing changes. `sink.notFound`; what `Trials` reject with. */
export async function tryReplay(
  parts: TryReplayParts,
  { key, filter, limit }: TriedReplay,
  options: Waiting,
): Promise<ReplayTrial> {
  const sink = await parts.definitions.sink(key, options);
  const { incarnation, mappingVersion } = sink;
  const asked = await askedFilter(parts, { incarnation, filter }, options);
  const counted = await countMatching(parts, { sink, filter: asked }, options);
  const place = { kind: mappingDocuments, id: mappingId(incarnation, mappingVersion) };
  const mapping = await requireDocument(parts.catalog, place, options);
  const wanted = { incarnation, where: filteredLetters(asked), limit, maxBytes: limits.replayBytes };
  const letters = await parts.letters.nextLetters(wanted, options);
  const outcomes = letters.length === 0 ? [] : await parts.trials.letters(mapping, letters, options);
  const tried = letters.flatMap((letter, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [{ letter, outcome }];
  });
  return { ...counted, mapping, tried };
}
