import type { Mutation } from './mutation.ts';

const composition = 'src/runtime/composition';
const threads = 'test/e2e/threads.test.ts';

/** What holds when several threads take events. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D9: a source is disabled when no thread takes its events',
    file: `${composition}/open-ingest.ts`,
    from: 'while (takesEvents(definitions.sourceOf(key))) await systemClock.sleep(5, { signal });',
    to: '',
    test: {
      file: 'src/runtime/composition/open-ingest.test.ts',
      title: 'D9: senders of a source are refused only when',
    },
  },
  {
    rule: 'a place that threads share is free before they do',
    file: `${composition}/ingest-threads.ts`,
    from: "if (isShared) await assertFree(ingest, { name: 'ingest' });",
    to: '',
    test: { file: threads, title: 'shares its ports with no other process' },
  },
  {
    rule: 'each thread listens',
    file: `${composition}/ingest-threads.ts`,
    from: 'for (let index = 1; index < config.threads; index += 1) start(index);',
    to: '',
    test: { file: threads, title: 'D2, D3: takes events in both' },
  },
  {
    rule: 'D3, D8: a thread knows from the start why sources take nothing',
    file: `${composition}/open-ingest.ts`,
    from: 'refusal: (source) => sourceRefusal(source, hindrances),',
    to: 'refusal: () => undefined,',
    test: { file: 'src/runtime/composition/open-ingest.test.ts', title: 'D3, D8: a thread knows from the start' },
  },
  {
    rule: 'D3, D8: a thread that is told why sources take nothing goes by it',
    file: `${composition}/open-ingest.ts`,
    from: '      sources.changed();',
    to: '',
    test: { file: 'src/runtime/composition/open-ingest.test.ts', title: 'D3, D8: a thread knows from the start' },
  },
  {
    rule: 'what a thread is told while it starts is heard when it has started',
    file: `${composition}/mailbox.ts`,
    from: 'this.#waiting.splice(0).forEach(hear);',
    to: 'this.#waiting.splice(0);',
    test: { file: `${composition}/mailbox.test.ts`, title: 'what comes before somebody hears is heard first' },
  },
];
