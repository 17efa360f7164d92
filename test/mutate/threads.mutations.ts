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
    from: 'for (let index = 1; index < count; index += 1) start(index);',
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
  {
    rule: 'a process that starts holds the ports from its look until it listens',
    file: `${composition}/ingest-threads.ts`,
    from: 'await using _ = await lockOf(shared, isShared);',
    to: '',
    test: { file: threads, title: 'two processes that start at once never share a port' },
  },
  {
    rule: 'D8: connections of an address are counted over all threads',
    file: 'src/listener/connections-by-address.ts',
    from: 'count + together.others(address)',
    to: 'count * together.threads',
    // Chance shares connections out evenly now and then: the process by itself would not notice.
    test: {
      file: 'src/listener/connections-by-address.test.ts',
      title: 'D8: an address may have as many as it may in all',
    },
  },
  {
    rule: 'D8: bytes in memory are counted over all threads',
    file: 'src/stages/ingest/accept/in-flight.ts',
    from: 'this.#bytes + this.#together.others * toldBytes',
    to: 'this.#bytes',
    test: { file: 'src/stages/ingest/accept/in-flight.test.ts', title: 'D8: a request may take what all threads have' },
  },
  {
    rule: 'D8: what a thread holds is rounded up for the others',
    file: 'src/stages/ingest/accept/in-flight.ts',
    from: 'Math.ceil(this.#bytes / toldBytes)',
    to: 'Math.floor(this.#bytes / toldBytes)',
    test: { file: 'src/stages/ingest/accept/in-flight.test.ts', title: 'D8: bytes of other threads count in full' },
  },
  {
    rule: 'D8: what a connection has counted is taken back when it is refused',
    file: 'src/listener/connections-by-address.ts',
    from: 'if (isOver) this.#tell(address, count - 1);',
    to: 'if (isOver) this.#leave(address);',
    test: {
      file: 'src/listener/connections-by-address.test.ts',
      title: 'D8: an address may have as many as it may in all',
    },
  },
  {
    rule: 'what a thread has counted stays in the sum when it does not answer',
    file: 'src/telemetry/thread-snapshots.ts',
    from: 'answer ?? kept.latest.filter(isCounted)',
    to: 'answer ?? []',
    test: { file: 'src/telemetry/thread-snapshots.test.ts', title: 'what a thread has counted stays' },
  },
  {
    rule: 'what the predecessors of a thread have counted stays in the sum',
    file: 'src/telemetry/thread-snapshots.ts',
    from: 'foldMetrics([kept.before, kept.latest.filter(isCounted)])',
    to: 'foldMetrics([kept.latest.filter(isCounted)])',
    test: { file: 'src/telemetry/thread-snapshots.test.ts', title: 'what a thread had counted is added' },
  },
  {
    rule: 'A62: a source has the partitions that it asks for',
    file: 'src/control/operations/make-source-topic.ts',
    from: 'const partitions = asked ?? parts.partitions;',
    to: 'const { partitions } = parts;',
    test: { file: 'src/control/source-topics.test.ts', title: 'A62: a source has the partitions' },
  },
  {
    rule: 'A62: a topic that was left with another number of partitions is not taken',
    file: 'src/control/operations/make-source-topic.ts',
    from: 'if (isEmpty && fits) return',
    to: 'if (isEmpty) return',
    test: { file: 'src/control/source-topics.test.ts', title: 'A62: a source has the partitions' },
  },
  {
    rule: 'A62: a source that comes back has the partitions that it had',
    file: 'src/control/operations/undelete-source.ts',
    from: 'created, partitions, before, sinks, stamp };',
    to: 'created, before, sinks, stamp };',
    test: { file: 'src/control/source-topics.test.ts', title: 'A62: a source has the partitions' },
  },
  {
    rule: 'D8: what a thread had counted is forgotten when it has ended',
    file: `${composition}/thread-service.ts`,
    from: 'this.#options.onEnded?.();',
    to: '',
    test: { file: `${composition}/thread-service.test.ts`, title: 'D8: what a thread had counted' },
  },
  {
    rule: 'D2: a thread that takes events begins with what its process knows',
    file: `${composition}/thread.ts`,
    from: 'else definitions.begin(known);',
    to: '',
    test: { file: 'test/e2e/threads-without-catalog.kafka.test.ts', title: 'D2, D7: go on with the sources' },
  },
  {
    rule: 'D2: a thread that takes events opens its catalog late',
    file: `${composition}/thread-ports.ts`,
    from: "const isCatalogLate = role === 'ingest';",
    to: 'const isCatalogLate = false;',
    test: { file: 'test/e2e/threads-without-catalog.kafka.test.ts', title: 'D2, D7: go on with the sources' },
  },
  {
    rule: 'a late catalog that could not be opened is tried again',
    file: 'src/runtime/cluster/late-catalog.ts',
    from: 'this.#opening = undefined;',
    to: '',
    test: { file: 'src/runtime/cluster/late-catalog.test.ts', title: 'opens at its first use' },
  },
  {
    rule: 'a late catalog that is closed is not waited for',
    file: 'src/runtime/cluster/late-catalog.ts',
    from: 'this.#leaving.abort();',
    to: '',
    test: { file: 'src/runtime/cluster/late-catalog.test.ts', title: 'is opened for those who wait' },
  },
];
