/** How one alert was provoked and mended by its runbook. */
export interface DrillRecord {
  /** The test that follows the page to its end on a running product, before a real Prometheus. */
  readonly where: string;
  /** What was done to the product, and what the page had somebody do about it. */
  readonly fired: string;
  readonly cleared: string;
  /**
   * Absent: each run of the tests sees both. `long`: it takes minutes, `npm run test:long` sees both. `fires`: each run sees it fire,
   * and the page followed; its end takes hours. Of the last two the tests of the rules see the beginning and the end each time.
   */
  readonly seen?: 'long' | 'fires';
}

const alone = 'test/e2e/monitoring.test.ts';
const losses = 'test/e2e/losses.test.ts';
const byClock = 'test/e2e/drills-by-clock.test.ts';
const smallDisk = 'test/e2e/drills-on-a-small-disk.test.ts';
const cluster = 'test/e2e/monitoring.kafka.test.ts';

/** One for each page of `docs/runbooks`, as `test/docs/drills.test.ts` demands. */
export const drills: Readonly<Record<string, DrillRecord>> = {
  'catalog-slow': {
    where: cluster,
    fired: 'each answer of PostgreSQL comes 1.2 s late (Toxiproxy)',
    cleared: 'the line is as fast as before',
  },
  'clock-doubted': {
    where: byClock,
    fired: 'the clock on the wall runs 600 times as fast as time',
    cleared: 'by an even day, which the tests of the rules see',
    seen: 'fires',
  },
  'conservation-violated': {
    where: losses,
    fired: 'the document of a sink counts three rows that were never there',
    cleared: 'copies are taken, and the last backup is restored',
  },
  'dead-letters': {
    where: alone,
    fired: 'a mapping reads a field that no event has',
    cleared: 'the version before is brought back, and the refused events are replayed',
  },
  'disk-fills-up': {
    where: smallDisk,
    fired: 'a file grows on a disk of which a sixth is free',
    cleared: 'the disk is made larger, and retention shorter',
  },
  'disk-full': {
    where: smallDisk,
    fired: 'the same file takes the rest of the disk',
    cleared: 'the file is removed, and retention shorter',
  },
  'event-loop-busy': {
    where: alone,
    fired: 'each event is mapped by a template of a million steps',
    cleared: 'the template is made cheap',
    seen: 'long',
  },
  'events-given-up': {
    where: losses,
    fired: 'a slice that is parked has failed for eight days, as its document says',
    cleared: 'another sink has the events from the source, on a table of its own',
  },
  'events-lost': {
    where: losses,
    fired: 'the topics of source and sink lose events that are not staged',
    cleared: 'the loss is acknowledged',
  },
  'foreign-store': {
    where: alone,
    fired: 'the mark in staging names another installation',
    cleared: 'the mark is taken away, the store claimed, and the process started again',
  },
  'freshness-burns': {
    where: byClock,
    fired: 'rows come late, because their table was gone, on a clock 20 times as fast',
    cleared: 'the backlog is delivered',
  },
  'freshness-burns-fast': {
    where: byClock,
    fired: 'rows come late, because their table was gone, on a clock 20 times as fast',
    cleared: 'the backlog is delivered',
  },
  'jobs-wait': {
    where: byClock,
    fired: 'an API does not answer the job before, for an hour of a clock 600 times as fast',
    cleared: 'the job before is terminated',
  },
  'nobody-runs-jobs': {
    where: cluster,
    fired: 'the only process with the role work is stopped, and a job asked for',
    cleared: 'a process with the role work is started',
    seen: 'long',
  },
  'partition-refuses': {
    where: cluster,
    fired: 'the broker is killed',
    cleared: 'the broker is started',
  },
  'process-away': {
    where: alone,
    fired: 'the process is killed',
    cleared: 'it is started again',
  },
  'retention-half-used': {
    where: losses,
    fired: 'events wait in an open slice for half of three minutes, which is all that the source keeps',
    cleared: 'the retention is raised',
    seen: 'long',
  },
  'retention-lost': {
    where: losses,
    fired: 'events wait in an open slice for longer than the source keeps them',
    cleared: 'the retention is raised',
    seen: 'long',
  },
  'scheduled-runs-missed': {
    where: byClock,
    fired: 'a job does not end before the next planned time',
    cleared: 'the schedule is given a longer rhythm',
  },
  'senders-refused': {
    where: alone,
    fired: 'a sender posts to an address that is none',
    cleared: 'the sender stops that',
  },
  'server-missing': {
    where: cluster,
    fired: 'the way to S3 is closed (Toxiproxy)',
    cleared: 'the way is opened',
  },
  'service-fails': {
    where: alone,
    fired: 'the folder of the staging store is away',
    cleared: 'it is put back',
  },
  'sink-lags': {
    where: byClock,
    fired: 'the table of a sink is gone',
    cleared: 'the table is made again',
    seen: 'long',
  },
  'sink-stopped': {
    where: alone,
    fired: 'the table of a sink is gone',
    cleared: 'the table is made again',
  },
  'slices-parked': {
    where: losses,
    fired: 'the table of slices that wait is gone, and the sink has another one',
    cleared: 'the table is made as it was',
  },
  'staging-slow': {
    where: cluster,
    fired: 'what is sent to S3 comes there 45 s late (Toxiproxy)',
    cleared: 'the line is as fast as before',
    seen: 'long',
  },
  'template-limit': {
    where: alone,
    fired: 'a template calls itself without an end',
    cleared: 'the template is made cheap, and the refused events are replayed',
  },
  'topic-torn': {
    where: losses,
    fired: 'the topics of source and sink lose events that are not staged',
    cleared: 'what the source still has is mapped again',
  },
  unmeasured: {
    where: alone,
    fired: 'the process is killed',
    cleared: 'it is started again',
  },
};
