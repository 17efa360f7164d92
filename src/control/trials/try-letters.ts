import type { DeadLetterCells } from '../../core/dead-letter.ts';
import { CsvReader } from '../../core/imports/csv-reader.ts';
import type { Mapping } from '../../core/mapping.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/compile-mapping.ts';
import { eventOfLetter } from '../../mapping/letter-event.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { TriedLetter } from './trials.ts';

/** What the mapping makes of each letter, by the code that replays. */
export function tryLetters(
  mapping: Mapping,
  letters: readonly DeadLetterCells[],
  { templates }: { readonly templates: TemplateCompiler },
): readonly TriedLetter[] {
  const compiled = compileMapping(mapping, { templates });
  try {
    return letters.map((letter) => tryLetter(letter, compiled));
  } finally {
    compiled.release();
  }
}

function tryLetter(letter: DeadLetterCells, compiled: CompiledMapping): TriedLetter {
  const event = eventOfLetter(letter);
  if (event === undefined) return { kind: 'partial' };
  const lines = new LineWriter();
  const result = compiled.mapEvent(event, lines);
  if (result.kind === 'dead') return { kind: 'refused', refusal: result.refusal };
  return result.kind === 'row' ? { kind: 'row', cells: cellsOf(lines.line()) } : { kind: 'filtered' };
}

function cellsOf(line: Buffer): readonly string[] {
  const reader = new CsvReader({ delimiter: ',', enclosure: '"', escapedBy: '' });
  const [row] = [...reader.push(line.toString('utf8')), ...reader.end()];
  return row?.cells ?? [];
}
