import type { Mutation } from './mutation.ts';

/** Work that must not grow with the number of sources and sinks. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'a creation reads what has changed, not all sources',
    file: 'src/control/store/source-index.ts',
    from: 'token, maxWaitMs: 0',
    to: 'token: undefined, maxWaitMs: 0',
    test: { file: 'src/api/growing-work.test.ts', title: 'D8: a source or a sink is made' },
  },
  {
    rule: 'a look at the sources that was overtaken is dropped',
    file: 'src/control/store/source-index.ts',
    from: 'if (this.#token !== token) continue;',
    to: '',
    test: { file: 'src/control/store/source-index.test.ts', title: 'drops a look that was overtaken' },
  },
  {
    rule: 'an erased source is not among those that can come back',
    file: 'src/control/store/source-index.ts',
    from: "source.erased === undefined ? 'deleted' : 'erased'",
    to: "'deleted'",
    test: { file: 'src/control/store/source-index.test.ts', title: 'knows which sources are there' },
  },
  {
    rule: 'an importer is looked at when its sink changes or is due, not with every change',
    file: 'src/stages/import/import-service.ts',
    from: 'generation === this.#generation && now < this.#lookAllAt',
    to: 'generation === this.#generation && now < 0',
    test: { file: 'src/stages/import/looks.test.ts', title: 'D8: what changes of one of 40 sinks' },
  },
  {
    rule: 'a reader is looked at when its sink changes or is due, not in each round',
    file: 'src/stages/stage/stage-service.ts',
    from: '&& !reader.hasSlicesBehind) this.#watched.delete(reader)',
    to: '&& reader.hasSlicesBehind) this.#watched.delete(reader)',
    test: { file: 'src/stages/import/looks.test.ts', title: 'D8: what changes of one of 40 sinks' },
  },
  {
    rule: 'a deadline that was set anew counts no more at its old time',
    file: 'src/core/deadlines.ts',
    from: 'this.#entries.get(top.each) !== top;',
    to: '!this.#entries.has(top.each);',
    test: { file: 'src/core/deadlines.prop.test.ts', title: 'D5: whatever is set anew' },
  },
  {
    rule: 'nobody waits longer than the longest rest',
    file: 'src/core/rests.ts',
    from: 'Math.min(this.#longestMs,',
    to: 'Math.max(this.#longestMs,',
    test: { file: 'src/core/rests.test.ts', title: 'D7: nobody waits longer than is promised' },
  },
  {
    rule: 'a creation does not look through all topics for its number',
    file: 'src/stages/claims/free-numbers.ts',
    from: 'if (!isFollowing || this.#asked.size >= longest) return false;',
    to: 'return false;',
    test: { file: 'src/stages/claims/marked-store.test.ts', title: 'D8: incarnations that are handed out' },
  },
  {
    rule: 'a number that comes again is looked for in the log',
    file: 'src/stages/claims/free-numbers.ts',
    from: ' && !this.#asked.has(asked)',
    to: '',
    test: { file: 'src/stages/claims/marked-store.test.ts', title: 'D3: a number that comes again' },
  },
  {
    rule: 'a number from elsewhere in the order is looked for in the log',
    file: 'src/stages/claims/free-numbers.ts',
    from: ' && asked <= this.#last + together',
    to: '',
    test: { file: 'src/stages/claims/marked-store.test.ts', title: 'D3: a number that comes again' },
  },
];
