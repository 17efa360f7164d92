import type { Mutation } from './mutation.ts';

/** Extractions of the command line: all files or none, and no secret in the log. */

const cases = 'src/cli/job/answer-case.test.ts';
const unit = 'src/runtime/extract/extract.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: '1.4: no file lies outside of the folder',
    file: 'src/runtime/extract/write-output.ts',
    from: '  checkNames(tables);\n',
    to: '',
    test: { file: cases, title: 'by a bucket that leads out' },
  },
  {
    rule: '1.4: what was begun elsewhere is removed',
    file: 'src/runtime/extract/write-output.ts',
    from: '    await rm(made, { recursive: true, force: true });\n',
    to: '',
    test: { file: cases, title: 'writes its tables, a manifest each' },
  },
  {
    rule: '1.4: what the machine is to blame for has another exit code',
    file: 'src/cli/job/answer-case.ts',
    from: 'answered(exitCodes.extractionBroken, end.message)',
    to: 'answered(exitCodes.failed, end.message)',
    test: { file: cases, title: 'the exit code 2' },
  },
  {
    rule: '5.5: secrets are hidden in the log',
    file: 'src/runtime/extract/extract.ts',
    from: 'message: hide(thrown.message)',
    to: 'message: thrown.message',
    test: { file: cases, title: 'shows no text below a key with #' },
  },
  {
    rule: '1.10: local files of rows are removed',
    file: 'src/runtime/extract/spool-folder.ts',
    from: 'if (this.#folder !== undefined) await rm(',
    to: 'if (this.#folder === undefined) await rm(',
    test: { file: unit, title: 'leaves nothing behind' },
  },
  {
    rule: '1.10: local files are removed behind the write that is under way',
    file: 'src/runtime/extract/spool-folder.ts',
    from: '    await this.#writing.catch(() => undefined);\n',
    to: '',
    test: { file: unit, title: 'also when it ends while it writes' },
  },
  {
    rule: 'J11: a secret in Base64 is hidden wherever it begins',
    file: 'src/secrets/hidden-values.ts',
    from: 'return [0, 1, 2]',
    to: 'return [0, 1]',
    test: { file: 'src/secrets/hidden-values.test.ts', title: 'where Base64 has it among other bytes, also in a URL' },
  },
  {
    rule: 'J11: a long secret is hidden to its end',
    file: 'src/secrets/hidden-values.ts',
    from: 'at === count - 1 ? undefined : (at + 1) * pieceLength',
    to: '(at + 1) * pieceLength',
    test: { file: 'src/secrets/hidden-values.test.ts', title: 'a long one is hidden as a whole' },
  },
  {
    rule: 'J11: secrets that end before more characters can be looked up are hidden',
    file: 'src/secrets/text-tree.ts',
    from: 'this.#ends.set(rest.length, ends.add(rest));',
    to: '',
    test: { file: 'src/secrets/text-tree.test.ts', title: 'the longest that stands at a place' },
  },
  {
    rule: 'D8: secrets that begin alike are told apart by what follows',
    file: 'src/secrets/text-tree.ts',
    from: 'this.#texts.length <= mostInOne',
    to: 'this.#texts.length > 0',
    test: { file: 'src/secrets/hidden-values.test.ts', title: 'thousands of secrets, and some of megabytes' },
  },
];
