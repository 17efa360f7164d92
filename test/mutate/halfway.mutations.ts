import type { Mutation } from './mutation.ts';

const shares = 'src/stages/measure/used-shares.ts';
const use = 'src/stages/measure/retention-use.test.ts';

/** What warns before retention takes what a sink needs. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'a sink uses the retention by the age of what it needs',
    file: shares,
    from: 'if (offset < younger) shares',
    to: 'if (offset > younger) shares',
    test: { file: use, title: 'D2: a sink uses as much of the retention as the oldest event that it needs' },
  },
  {
    rule: 'a sink uses the retention by the bytes of what it needs',
    file: shares,
    from: 'if (maxBytes === undefined || needed >= durableEnd) return 0;',
    to: 'return 0;',
    test: { file: use, title: 'D2: what it needs counts by bytes, too' },
  },
  {
    rule: 'a look at a partition serves all of its sinks',
    file: shares,
    from: 'if (oldest >= younger) break;',
    to: '',
    test: { file: use, title: 'D8: a look at a partition serves all of its sinks' },
  },
  {
    rule: 'what retention took is no longer needed',
    file: shares,
    from: 'Math.max(offset, range.first)',
    to: 'offset',
    test: { file: use, title: 'D2: what retention took is a hole, and no longer used' },
  },
  {
    rule: 'half of the retention is an alarm of the progress page',
    file: 'src/control/reports/sink-alarms.ts',
    from: 'if (retentionUsed >= retentionAlarmShare)',
    to: 'if (retentionUsed >= 1)',
    test: {
      file: 'src/api/views/progress-view.test.ts',
      title: 'D2: half of the retention, used by what a sink still needs, is an alarm of the progress page',
    },
  },
  {
    rule: 'what brokers refuse to tell is not known, and no failure',
    file: 'src/adapters/kafka/topic-retention.ts',
    from: 'if (type === undefined || isPassing(thrown)) throw thrown;',
    to: 'throw thrown;',
    test: {
      file: 'src/adapters/kafka/topic-retention.test.ts',
      title: 'asks once a minute, and a refusal is an answer',
    },
  },
  {
    rule: 'the largest share of the incarnations of a sink is told',
    file: 'src/telemetry/sink-gauges.ts',
    from: 'Math.max(...found.map(({ share }) => share))',
    to: 'Math.min(...found.map(({ share }) => share))',
    test: { file: use, title: 'the largest share of its incarnations' },
  },
  {
    rule: 'sinks of a retired topic use its retention',
    file: 'src/stages/measure/retention-use.ts',
    from: '...(source.retired ?? []).map(({ name }) => name)',
    to: '',
    test: { file: use, title: 'of an earlier existence of its source' },
  },
];
