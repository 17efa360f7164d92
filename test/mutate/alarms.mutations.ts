import type { Mutation } from './mutation.ts';

const aside = 'src/core/progress/aside.test.ts';
const events = 'src/telemetry/business-events.test.ts';

/** What rings, and until when. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D6: what is set aside is told with the age of the oldest of it',
    file: 'src/core/progress/aside.ts',
    from: 'Math.min(oldest, parkedAt)',
    to: 'Math.max(oldest, parkedAt)',
    test: { file: aside, title: 'D6: slices that are set aside for any reason count' },
  },
  {
    rule: 'D4: what goes with a table that was dropped on purpose is no loss',
    file: 'src/core/progress/aside.ts',
    from: 'dropped === undefined ? ',
    to: 'dropped !== null ? ',
    test: { file: aside, title: 'D4: what was given up counts' },
  },
  {
    rule: 'D2: what retention takes from a sink is counted',
    file: 'src/telemetry/observe-retention.ts',
    from: 'sourceLabels({ branchId, sourceId }), count)',
    to: 'sourceLabels({ branchId, sourceId }), 0)',
    test: { file: events, title: 'D2: a topic that lost outcomes, and what retention removed, are counted' },
  },
  {
    rule: 'D2: a torn topic is counted',
    file: 'src/telemetry/observe-stage.ts',
    from: "      metrics.counter('millrace_stage_torn_topics_total').inc(sinkLabels(key));\n",
    to: '',
    test: { file: events, title: 'D2: a topic that lost outcomes, and what retention removed, are counted' },
  },
];
