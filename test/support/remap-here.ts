import { compileMapping } from '../../src/mapping/compile-mapping.ts';
import { createTemplates } from '../../src/mapping/jsonnet-templates.ts';
import { remapLetters } from '../../src/mapping/remap-letters.ts';
import type { Remapper } from '../../src/stages/import/letter-replays.ts';

/** Maps dead letters in the thread of the test. */
export const remapHere: Remapper = {
  remap: async (mapping, letters) =>
    remapLetters(letters, compileMapping(mapping, { templates: createTemplates() }), () => false),
};
