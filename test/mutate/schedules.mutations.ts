import type { Mutation } from './mutation.ts';

const random = {
  file: 'src/stages/work/keep-schedule.prop.test.ts',
  title: 'S3, S4, S5: a planned time has one job, or is told as one that has none, whoever ends where',
};
const keeper = (title: string) => ({ file: 'src/stages/work/schedule-keeper.test.ts', title });
const times = (title: string) => ({ file: 'src/core/schedules/cron-times.test.ts', title });

/** A planned time has one job or is told, whoever keeps the schedule and wherever it ends. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'S1: what never comes is refused',
    file: 'src/core/schedules/cron-times.ts',
    from: 'if (times.after(Date.UTC(2000, 0)) === undefined)',
    to: 'if (times.after(Date.UTC(2000, 0)) === 0)',
    test: times('S1: what never comes is refused'),
  },
  {
    rule: 'S2: a time of day that is left out is the moment after, in lists, too',
    file: 'src/core/schedules/cron-times.ts',
    from: "fixedTimeRule: 'no-wildcard', ",
    to: '',
    test: times('S2: a time of day that the clock leaves out is the moment after'),
  },
  {
    rule: 'S3: a planned time that is decided is not decided again',
    file: 'src/core/schedules/decide-run.ts',
    from: 'return found?.plannedFor === due.plannedFor && found.passed === due.passed;',
    to: 'return found?.plannedFor !== 0;',
    test: random,
  },
  {
    rule: 'S3: a job that was decided on is made by whoever comes next',
    file: 'src/stages/work/keep-schedule.ts',
    from: 'if (found.lastRun?.isMade === false)',
    to: 'if (found.lastRun?.isMade === undefined && found.lastRun !== undefined)',
    test: keeper('S3: is made by whoever comes next, under its number, also where its row was removed meanwhile'),
  },
  {
    rule: 'S3: nothing else is decided while a job is still to be made',
    file: 'src/core/schedules/decide-run.ts',
    from: 'if (schedule.lastRun?.isMade === false) return false;',
    to: '',
    test: {
      file: 'src/core/schedules/decide-run.test.ts',
      title: 'S3: while a job is still to be made nothing else is decided',
    },
  },
  {
    rule: 'S3: a job that has ended and is gone is not made again',
    file: 'src/stages/work/keep-schedule.ts',
    from: 'return later >= limits.endedJobs || clock.now() - Date.parse(at) >= limits.jobAgeMs;',
    to: 'return later >= limits.endedJobs;',
    test: keeper('S3: is not made again when its job has ended so long ago that it is gone'),
  },
  {
    rule: 'S3: what the ledger has seen is not made again',
    file: 'src/stages/work/keep-schedule.ts',
    from: 'if (verdict !== undefined) return true;',
    to: 'if (verdict !== undefined) return false;',
    test: keeper('S3: is not made again when the ledger says that it was loaded, as after a restore of the catalog'),
  },
  {
    rule: 'S4: never two at once',
    file: 'src/stages/work/keep-schedule.ts',
    from: "if (phase !== 'ended') return 'stillRunning';",
    to: "if (phase === 'waiting') return 'stillRunning';",
    test: random,
  },
  {
    rule: 'S5: what passed without anybody is told',
    file: 'src/core/schedules/decide-run.ts',
    from: 'count: due.passed, plannedFor: isoOf(due.lastPassed)',
    to: 'count: 0, plannedFor: isoOf(due.lastPassed)',
    test: random,
  },
  {
    rule: 'S5: what is skipped is told',
    file: 'src/core/schedules/decide-run.ts',
    from: 'count: due.passed + 1,',
    to: 'count: due.passed,',
    test: random,
  },
  {
    rule: 'S5: a schedule that is enabled again makes up for nothing',
    file: 'src/core/schedules/decide-run.ts',
    from: '...(isPlannedAlike || isBehind ? {}',
    to: '...(definition.isEnabled || isBehind ? {}',
    test: {
      file: 'src/api/schedules.test.ts',
      title: 'another expression, or one that is enabled again, makes up for nothing',
    },
  },
  {
    rule: 'S6: a clock that was far ahead does not stop a schedule',
    file: 'src/core/schedules/due-run.ts',
    from: '> now + mistakenClockMs',
    to: '> now + 366 * mistakenClockMs',
    test: keeper('S6: a clock that was a year ahead does not stop it for a year'),
  },
  {
    rule: 'S7: a configuration that is disabled is not run',
    file: 'src/stages/work/keep-schedule.ts',
    from: 'if (configuration === undefined || configuration.deleted !== undefined || configuration.isDisabled)',
    to: 'if (configuration === undefined || configuration.deleted !== undefined)',
    test: keeper('S7: does nothing while its configuration is disabled, and makes nothing up for it'),
  },
  {
    rule: 'S7: a configuration that takes the place of a deleted one has no schedule',
    file: 'src/control/configurations/create-configuration.ts',
    from: 'if (before !== undefined) await removeSchedule(',
    to: 'if (before === undefined) await removeSchedule(',
    test: {
      file: 'src/api/schedules.test.ts',
      title: 'it goes with one that is deleted for good, and one that takes the place of a deleted one has none',
    },
  },
  {
    rule: 'S8: a schedule starts the thread of jobs',
    file: 'src/runtime/composition/until-job.ts',
    from: "collection: 'schedule', prefix: '', limit: 1 }, waiting)).length > 0",
    to: "collection: 'schedule', prefix: '', limit: 1 }, waiting)).length > 1",
    test: {
      file: 'src/runtime/composition/until-job.test.ts',
      title: 'S8: there is something to do when there is a schedule',
    },
  },
  {
    rule: 'S4: a process that was killed and is back asks for no job beside the one that it takes over',
    file: 'src/stages/work/keep-schedule.ts',
    from: "    if (phase !== 'ended') return 'stillRunning';\n",
    to: '    void phase;\n',
    test: { file: 'test/chaos/jobs/schedules-crash.test.ts', title: 'never two at once' },
  },
  {
    rule: 'S5: what was planned while the process was killed is counted as missed',
    file: 'src/core/schedules/decide-run.ts',
    from: 'count: due.passed, plannedFor: isoOf(due.lastPassed)',
    to: 'count: 0, plannedFor: isoOf(due.lastPassed)',
    test: { file: 'test/chaos/jobs/schedules-crash.test.ts', title: 'or tell that there is none' },
  },
];
