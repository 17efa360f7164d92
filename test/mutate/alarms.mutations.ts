import type { Mutation } from './mutation.ts';

const aside = 'src/core/progress/aside.test.ts';
const events = 'src/telemetry/business-events.test.ts';

const ages = 'src/telemetry/age-histogram.test.ts';
const labels = 'src/telemetry/labels.test.ts';
const ports = 'src/runtime/composition/observed-ports.test.ts';
const aged = 'says of dead letters why, and of all events how old they were at each stage';

/** What rings, and until when; and what is measured besides. */
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
    from: '{ branchId, sourceId }), count)',
    to: '{ branchId, sourceId }), 0)',
    test: { file: events, title: 'D2: a topic that lost outcomes, and what retention removed, are counted' },
  },
  {
    rule: 'D2: a torn topic is counted',
    file: 'src/telemetry/observe-stage.ts',
    from: "      metrics.counter('millrace_stage_torn_topics_total').inc(sinkLabels(metrics, key));\n",
    to: '',
    test: { file: events, title: 'D2: a topic that lost outcomes, and what retention removed, are counted' },
  },
  {
    rule: 'a bucket of ages counts what is younger, too',
    file: 'src/telemetry/age-histogram.ts',
    from: '        below += inBucket[at] ?? 0;',
    to: '        below = inBucket[at] ?? 0;',
    test: { file: ages, title: 'counts many events with one call' },
  },
  {
    rule: 'events count, not calls',
    file: 'src/telemetry/age-histogram.ts',
    from: '    ages.count += events;',
    to: '    ages.count += 1;',
    test: { file: ages, title: 'counts many events with one call' },
  },
  {
    rule: 'what arrived before its sink was made is late through nobody, when it is imported',
    file: 'src/telemetry/observe-import.ts',
    from: '    if (firstArrival < since) continue;\n',
    to: '',
    test: { file: events, title: aged },
  },
  {
    rule: 'what arrived before its sink was made is late through nobody, when it is staged',
    file: 'src/telemetry/observe-stage.ts',
    from: 'slice.firstArrival >= freshness.countsSince(key)',
    to: 'slice.firstArrival >= 0',
    test: { file: events, title: aged },
  },
  {
    rule: 'what is as old as the target is timely',
    file: 'src/telemetry/observe-import.ts',
    from: 'ageMs > targetMs',
    to: 'ageMs >= targetMs',
    test: { file: events, title: aged },
  },
  {
    rule: 'the page of metrics has an end',
    file: 'src/telemetry/labels.ts',
    from: 'named.size >= this.#most',
    to: 'named.size > this.#most',
    test: { file: labels, title: 'names as many sinks as it may' },
  },
  {
    rule: 'a source that is gone gives its place in the metrics to another one',
    file: 'src/telemetry/labels.ts',
    from: '  for (const [name] of gone) named.delete(name);\n',
    to: '',
    test: { file: 'src/telemetry/give-back-names.test.ts', title: 'a source that is gone gives its place' },
  },
  {
    rule: 'series of a source that is gone do not stay when its place is given to another one',
    file: 'src/telemetry/give-back-names.ts',
    from: ' metric?.remove(labels);',
    to: ' continue;',
    test: { file: 'src/telemetry/give-back-names.test.ts', title: 'a source that is gone gives its place' },
  },
  {
    rule: 'the sink with most comes first',
    file: 'src/core/accounts/rank-sinks.ts',
    from: 'other[by] - one[by]',
    to: 'one[by] - other[by]',
    test: { file: 'src/core/accounts/rank-sinks.test.ts', title: 'the sink with most comes first' },
  },
  {
    rule: 'a ranking is of one branch',
    file: 'src/api/routes/stream/rank-sinks.ts',
    from: 'key.branchId === branchId',
    to: 'key.branchId !== undefined',
    test: { file: 'src/api/ranking.test.ts', title: 'the sinks of a branch with most' },
  },
  {
    rule: 'a loss of a sink without a name of its own rings',
    file: 'src/telemetry/sink-gauges.ts',
    from: '      else of[1].push(found);\n',
    to: '',
    test: { file: labels, title: 'adds up what is measured of the others' },
  },
  {
    rule: 'the first share of a process is no rebalance',
    file: 'src/telemetry/observe-groups.ts',
    from: 'known.has(group) ? 1 : 0',
    to: '1',
    test: { file: ports, title: 'a member of a group tells how much it holds' },
  },
  {
    rule: 'dead letters that are left for the next call are not counted now',
    file: 'src/stages/map/map-batch.ts',
    from: '      if (made.outcomes.length > 0 && made.bytes + bytes > batch.mostBytes) return before;\n',
    to: "      if (mapped.kind === 'dead') made.reasons.push(mapped.reason);\n      if (made.outcomes.length > 0 && made.bytes + bytes > batch.mostBytes) return before;\n",
    test: { file: 'src/stages/map/map-batch.test.ts', title: 'says why each dead letter is one' },
  },
  {
    rule: 'how often a sink has failed is told until it goes on',
    file: 'src/telemetry/observe-status.ts',
    from: 'failures.remove({',
    to: 'failures.inc({',
    test: { file: 'src/telemetry/observe-status.test.ts', title: 'counts every failed import' },
  },
  {
    rule: 'a fetch that waited for records in vain is no measure of Kafka',
    file: 'src/adapters/kafka/partition-reads.ts',
    from: 'read.batch.records.length > 0',
    to: 'read.batch.records.length >= 0',
    test: {
      file: 'src/adapters/kafka/request-durations.kafka.test.ts',
      title: 'tells how long each produce request took',
    },
  },
  {
    rule: 'a sink lags when it is behind its own triggers, which a share of late events rests on',
    file: 'src/core/freshness.ts',
    from: '2 * (staging.intervalMs + target.intervalMs)',
    to: 'staging.intervalMs + target.intervalMs',
    test: { file: 'src/core/freshness.test.ts', title: 'the target of a sink is two rounds of its triggers' },
  },
];
