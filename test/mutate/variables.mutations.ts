import type { Mutation } from './mutation.ts';

/** Variables of configurations: a value is text where its placeholder stands, and nothing else. */

const render = 'src/variables/render.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'A54: a value ends in the text in which it begins',
    file: 'src/variables/check-insertions.ts',
    from: ' || at >= token.to',
    to: '',
    test: { file: render, title: 'not a field' },
  },
  {
    rule: 'A54: a value is whole characters of its text',
    file: 'src/variables/check-insertions.ts',
    from: ' || at !== one.to',
    to: '',
    test: { file: render, title: 'not a text that goes on behind its end' },
  },
  {
    rule: 'A54: a key has the escaped value',
    file: 'src/variables/check-insertions.ts',
    from: ' ?? inKeys.find(({ raw }) => raw)',
    to: '',
    test: { file: render, title: 'not a key by its escapes' },
  },
  {
    rule: 'A54: a value makes no key a second time',
    file: 'src/variables/check-insertions.ts',
    from: '  if (inKeys.length > 0) checkKeys(text, inKeys);\n',
    to: '',
    test: { file: render, title: 'not a key that is there' },
  },
  {
    rule: 'A54: a value of the vault neither begins nor ends a tag',
    file: 'src/variables/fill-values.ts',
    from: '    vault.check(tag);\n',
    to: '',
    test: { file: render, title: 'begin a tag that another text ends' },
  },
  {
    rule: 'D8: a rendered configuration is bounded',
    file: 'src/variables/filled-text.ts',
    from: 'this.#length > longestText',
    to: 'this.#length === Infinity',
    test: { file: render, title: 'in the length of the result' },
  },
  {
    rule: 'D8: what shared code makes is bounded',
    file: 'src/variables/shared-code.ts',
    from: 'splicing.made <= mostElements',
    to: 'splicing.made > 0',
    test: { file: 'src/variables/resolve.test.ts', title: 'D8: a row that is named in many elements' },
  },
  {
    rule: 'D8: what all runs of a job hold is bounded',
    file: 'src/stages/work/prepare-runs.ts',
    from: '    if (weight > mostWeight) throw tooMuch();\n',
    to: '',
    test: { file: 'src/stages/work/work-service.test.ts', title: 'D8: with rows that hold more than there may be' },
  },
];
