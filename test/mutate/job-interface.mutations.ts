import type { Mutation } from './mutation.ts';

const writer = (title: string) => ({ file: 'src/stages/work/progress-writer.test.ts', title });
const api = (title: string) => ({ file: 'src/api/jobs.test.ts', title });
const command = (title: string) => ({ file: 'src/cli/job/run-stored.test.ts', title });

/** What who asks for a job is told of it. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'J12: how far a job is, is written at a bounded rate',
    file: 'src/stages/work/progress-writer.ts',
    from: 'clock.sleep(everyMs, { signal })',
    to: 'clock.sleep(0 * everyMs, { signal })',
    test: writer('writes the newest state, and no more than one in its interval'),
  },
  {
    rule: 'J12: the last state of a run is written',
    file: 'src/stages/work/progress-writer.ts',
    from: '    await this.#write(AbortSignal.any([signal, AbortSignal.timeout(ms)]));\n',
    to: '    void signal; void ms;\n',
    test: writer('the last state is written when the run ends'),
  },
  {
    rule: 'J12: a run that has lost its job writes over no other',
    file: 'src/stages/work/progress-writer.ts',
    from: 'before.attempt > value.attempt ? undefined : value',
    to: 'before.attempt > value.attempt ? value : value',
    test: writer('a run that has lost its job does not write over'),
  },
  {
    rule: 'J12: runs of one job add up',
    file: 'src/stages/work/run-job.ts',
    from: '    progress.add(found);\n',
    to: '',
    test: { file: 'src/stages/work/work-service.test.ts', title: 'writes down how far it is while it runs' },
  },
  {
    rule: 'J12: how far an earlier run came is not shown of the next one',
    file: 'src/core/jobs/run-progress.ts',
    from: 'return run?.attempt === attempt && run.owner === owner;',
    to: 'return run?.owner === owner;',
    test: api('of an earlier run is not shown of the next one'),
  },
  {
    rule: 'J9: how far a job came goes with the job',
    file: 'src/control/operations/remove-old-jobs.ts',
    from: "    await removeDocument(catalog, { collection: 'job-progress', id }, options);\n",
    to: '',
    test: { file: 'src/control/jobs.test.ts', title: 'a job that was kept long enough goes with its log' },
  },
  {
    rule: 'J2: a token of another component runs none',
    file: 'src/api/routes/jobs/create-job.ts',
    from: '    requireMayRun(token, body.component);\n',
    to: '',
    test: api('the token of another component sees no jobs and no lines'),
  },
  {
    rule: 'J2: a token of another component ends none',
    file: 'src/api/routes/jobs/job.ts',
    from: '    await requireSeenJob(context, { jobId, token }, { signal });\n',
    to: '',
    test: api('the token of another component sees no jobs and no lines'),
  },
  {
    rule: 'J2: a token of another component finds none',
    file: 'src/api/routes/jobs/search-jobs.ts',
    from: 'filterOf(query, seenComponents(token))',
    to: "filterOf(query, ['generic-extractor'])",
    test: api('the token of another component sees no jobs and no lines'),
  },
  {
    rule: 'J2: a token of another component reads no log',
    file: 'src/control/reports/job-events.ts',
    from: '    if (!componentIds.includes(job.request.componentId)) continue;\n',
    to: '',
    test: { file: 'src/api/job-events.test.ts', title: 'those of other runs are others' },
  },
  {
    rule: 'J1: jobs are refused where nobody runs any',
    file: 'src/control/operations/create-job.ts',
    from: "=== 'none') throw invalid(nobodyRuns)",
    to: "!== 'present' && false) throw invalid(nobodyRuns)",
    test: api('takes them while somebody says so in the catalog'),
  },
  {
    rule: 'J1: a worker that is replaced is no reason to refuse jobs',
    file: 'src/control/operations/create-job.ts',
    from: "=== 'none') throw invalid(nobodyRuns)",
    to: "!== 'present') throw invalid(nobodyRuns)",
    test: api('takes them while somebody says so in the catalog'),
  },
  {
    rule: 'J1: a job says that nobody is there to run it',
    file: 'src/api/routes/jobs/shown-job.ts',
    from: "=== 'present' ? null : nobodyRuns",
    to: "!== 'none' ? null : nobodyRuns",
    test: api('takes them while somebody says so in the catalog'),
  },
  {
    rule: 'J1: a process says again and again that it runs jobs',
    file: 'src/stages/work/worker-presence.ts',
    from: 'now - this.#saidAt < workerSaidEveryMs',
    to: 'now >= this.#saidAt',
    test: { file: 'src/stages/work/worker-presence.test.ts', title: 'again when it is time' },
  },
  {
    rule: 'J1: a job that has begun does not count as waiting',
    file: 'src/stages/measure/waiting-jobs.ts',
    from: '      else this.#dueSince.delete(id);\n',
    to: '',
    test: { file: 'src/stages/measure/waiting-jobs.test.ts', title: 'jobs that could begin and have not' },
  },
  {
    rule: 'J1: a delayed job does not wait before it is due',
    file: 'src/stages/measure/waiting-jobs.ts',
    from: '.filter((since) => since <= now)',
    to: '',
    test: { file: 'src/stages/measure/waiting-jobs.test.ts', title: 'jobs that could begin and have not' },
  },
  {
    rule: '1.4: a job that the product is to blame for has another exit code',
    file: 'src/cli/job/run-stored.ts',
    from: "if ('error' in job.result && job.result.error?.type === 'user')",
    to: "if ('error' in job.result)",
    test: command('ends, of a job that ended as error, with 2'),
  },
  {
    rule: 'a job goes on when nobody says that it is to end',
    file: 'src/cli/job/follow-job.ts',
    from: 'if (await confirm(terminal',
    to: 'if (!await confirm(terminal',
    test: command('who does not say yes leaves it running'),
  },
];
