import type { Mutation } from './mutation.ts';

const inContext = (title: string) => ({ file: 'src/core/span-context.test.ts', title });
const inCarried = (title: string) => ({ file: 'src/core/carried-context.test.ts', title });
const inExport = (title: string) => ({ file: 'src/telemetry/export/otlp-spans.test.ts', title });
const inPortion = (title: string) => ({ file: 'src/stages/map/portion-spans.test.ts', title });
const inStanding = (title: string) => ({ file: 'src/stages/stage/standing.test.ts', title });

/** Traces go on by the standard and by the sender's flag, within bounds, and are paid by nobody who does not want them. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'H2: version ff is none',
    file: 'src/core/span-context.ts',
    from: "version === undefined || version === 'ff'",
    to: 'version === undefined',
    test: inContext('that breaks a rule names no trace'),
  },
  {
    rule: 'H2: version 00 ends with its flags',
    file: 'src/core/span-context.ts',
    from: "if (version === '00' && rest !== undefined) return undefined;",
    to: '',
    test: inContext('that breaks a rule names no trace'),
  },
  {
    rule: 'H2: ids of zeros name nothing',
    file: 'src/core/span-context.ts',
    from: 'if (isZero(traceId) || isZero(spanId)) return undefined;',
    to: '',
    test: inContext('that breaks a rule names no trace'),
  },
  {
    rule: 'H2: one bit of the flags says sampled',
    file: 'src/core/span-context.ts',
    from: '& 1) === 1',
    to: '& 255) > 0',
    test: inContext('is read as the standard has it, with its flag'),
  },
  {
    rule: 'H3: what a client said is not asked behind the span of its request',
    file: 'src/core/carried-context.ts',
    from: 'if (isOurs && header?.startsWith(reservedHeaders.prefix) !== true) break;',
    to: '',
    test: inCarried('is none when its request had no span, whatever its client said'),
  },
  {
    rule: 'H3: the flag of the sender decides',
    file: 'src/telemetry/export/otlp-spans.ts',
    from: ': parent.isSampled;',
    to: ': true;',
    test: inExport('by the flag of its sender, whatever the share is'),
  },
  {
    rule: 'H3: so many in a second',
    file: 'src/telemetry/export/otlp-spans.ts',
    from: 'this.#left -= 1;',
    to: '',
    test: inExport('so often in a second, and what is refused is counted'),
  },
  {
    rule: 'H5: so many spans wait',
    file: 'src/telemetry/export/span-exports.ts',
    from: 'if (this.#waiting >= this.#options.most) {',
    to: 'if (this.#waiting > this.#options.most) {',
    test: inExport('H5: wait in a bounded number while the server does not answer; more are dropped and counted'),
  },
  {
    rule: 'H5: what is exported waits no more',
    file: 'src/telemetry/export/span-exports.ts',
    from: 'this.#waiting -= spans.length;',
    to: '',
    test: inExport('H5: wait in a bounded number while the server does not answer; more are dropped and counted'),
  },
  {
    rule: 'H5: an export without an answer ends in time',
    file: 'src/telemetry/export/span-exports.ts',
    from: '      end({ code: failed, error: new Error(`no answer within ${patienceMs} ms`) });\n',
    to: '',
    test: inExport('H5: that have no answer in time have failed'),
  },
  {
    rule: 'H5: an answer that comes late counts for nothing',
    file: 'src/telemetry/export/span-exports.ts',
    from: '      if (patience.signal.aborted) return;\n',
    to: '',
    test: inExport('H5: that have no answer in time have failed'),
  },
  {
    rule: 'H5: an answer that never ends does not keep the process',
    file: 'src/telemetry/export/otlp-spans.ts',
    from: 'agents.forEach((agent) => agent.destroy())',
    to: 'agents.forEach(() => undefined)',
    test: { file: 'test/e2e/spans-away.test.ts', title: 'H5, D10: a server of spans that never ends its answer' },
  },
  {
    rule: 'H1: what an append has no room for is not in its spans',
    file: 'src/stages/map/portion-spans.ts',
    from: '.filter(({ offset }) => offset <= position)',
    to: '',
    test: inPortion('are not of records that the append has no room for: those are mapped again'),
  },
  {
    rule: 'H3: what ingest admitted is not asked for again',
    file: 'src/stages/map/batch-contexts.ts',
    from: 'return isAdmitted ? context : this.#spans.enter(traceparent, tracestate)?.parent;',
    to: 'return this.#spans.enter(traceparent, tracestate)?.parent;',
    test: inPortion('H3: ask nobody again for a request that ingest admitted, and once for the records of a producer'),
  },
  {
    rule: 'H8: an append follows so many traces',
    file: 'src/stages/map/portion-spans.ts',
    from: 'if (this.#traces.size === limits.tracesPerAppend) return;',
    to: '',
    test: inPortion('follows so many traces, and all records of those'),
  },
  {
    rule: 'H8: an append does not grow beyond what its topic takes',
    file: 'src/stages/map/portion-spans.ts',
    from: 'if ((room -= headerBytes) >= 0) ',
    to: '',
    test: inPortion('does not grow beyond what its topic takes: an outcome without room for its trace goes without'),
  },
  {
    rule: 'H8: a slice keeps so many traces',
    file: 'src/stages/stage/open-slice.ts',
    from: 'if (this.followed.length === limits.tracesPerSlice) return;',
    to: '',
    test: inStanding('are noted once each, the first ones, with the time at which it took them'),
  },
  {
    rule: 'H6: nothing is looked for while traces are off',
    file: 'src/stages/stage/standing.ts',
    from: 'if (this.#options.follows === true) this.#follow(record, taking);',
    to: 'this.#follow(record, taking);',
    test: inStanding('H6: are not looked for while traces are off'),
  },
  {
    rule: 'H7: a slice keeps its spans in the document',
    file: 'src/stages/stage/upload-slice.ts',
    from: '...(spans === undefined ? {} : { traceparents: spans.traceparents }),',
    to: '',
    test: {
      file: 'src/stages/stage/slice-sealer.test.ts',
      title: 'H1: a slice keeps its spans in the document, and their ends say whether it was sealed',
    },
  },
];
