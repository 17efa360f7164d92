import { expect, test } from 'vitest';
import { createdJob } from '../../../test/support/any-job.ts';
import { limits } from '../limits.ts';
import { endJob, killJob, type JobEnding } from './end-job.ts';
import { phaseOf, statusOf, type Job } from './job.ts';
import { oldJobs } from './old-jobs.ts';
import { takeJob, waitJob, type RunningJob } from './take-job.ts';

const at = '2026-01-02T00:00:00.000Z';
const success: JobEnding = { status: 'success', at, result: { message: 'Done.', tables: [], variables: [] } };

function taken(job: Job, owner = 'a life'): RunningJob {
  const taking = takeJob(job, { owner, at: '2026-01-01T00:00:00.000Z' });
  if (taking.kind !== 'taken') throw new Error(`it is ${taking.kind}`);
  return taking.job;
}

test('a client sees `processing` until the job has ended (E10)', () => {
  const running = taken(waitJob(createdJob('1')));
  const killed = killJob(running, { at });
  const ended = endJob(running, running.run, success);
  const all = [createdJob('1'), waitJob(createdJob('1')), running, killed, ended].flatMap((job) => job ?? []);
  expect(all.map((job) => [statusOf(job), phaseOf(job)])).toEqual([
    ['processing', 'created'],
    ['processing', 'waiting'],
    ['processing', 'running'],
    ['processing', 'terminating'],
    ['success', 'ended'],
  ]);
});

test('a job that never ran is cancelled at once', () => {
  for (const job of [createdJob('1'), waitJob(createdJob('1'))]) {
    const killed = killJob(job, { at });
    expect(killed?.phase === 'ended' ? [killed.status, killed.endedAt, killed.run] : killed).toEqual([
      'cancelled',
      at,
      undefined,
    ]);
  }
});

test('J14: a job begins no sooner than it was made, and ends no sooner than it began, whatever clocks say', () => {
  const [made, behind] = [createdJob('1').created.at, '2000-01-01T00:00:00.000Z'];
  const taking = takeJob(createdJob('1'), { owner: 'a life', at: behind });
  expect(taking.kind === 'taken' && taking.job.run.startedAt).toBe(made);
  const running = taken(createdJob('1'));
  expect(endJob(running, running.run, { ...success, at: behind })?.endedAt).toBe(running.run.startedAt);
  expect(killJob(createdJob('1'), { at: behind })).toMatchObject({ endedAt: made });
});

test('a job that was taken over is not ended by the run before', () => {
  const first = taken(createdJob('1'), 'one life');
  const second = taken(first, 'another life');
  expect(second.run).toEqual({ attempt: 2, owner: 'another life', startedAt: first.run.startedAt });
  expect(endJob(second, first.run, success)).toBeUndefined();
  expect(endJob(second, second.run, success)?.run).toEqual(second.run);
});

test('a run of the same process that it does not know of is another run', () => {
  const first = taken(createdJob('1'));
  expect(endJob(taken(first), first.run, success)).toBeUndefined();
});

test('a job whose process ended three times is not begun again', () => {
  const last = taken(taken(taken(createdJob('1'))));
  expect(last.run.attempt).toBe(limits.jobAttempts);
  expect(takeJob(last, { owner: 'a life', at })).toEqual({ kind: 'spent', job: last });
});

test('a job that was asked to end is taken over as one that is to end', () => {
  const killed = killJob(taken(createdJob('1')), { at });
  if (killed === undefined) throw new Error('it has not ended');
  expect(phaseOf(taken(killed))).toBe('terminating');
});

test('what a newer release wrote into a job stays in it', () => {
  const newer = { ...createdJob('1'), colour: 'red' };
  const running = taken(waitJob(newer));
  const newerRun = { ...running, run: { ...running.run, host: 'a' } };
  expect(taken(newerRun)).toMatchObject({ colour: 'red', run: { host: 'a', attempt: 2 } });
  expect(endJob(newerRun, newerRun.run, success)).toMatchObject({ colour: 'red', run: { host: 'a' } });
  expect(killJob(newer, { at })).toMatchObject({ colour: 'red' });
});

test('ended jobs go when they are old, or when newer ones are enough', () => {
  const now = Date.parse(at) + limits.jobAgeMs;
  const jobs = [
    { jobId: '3', endedAt: '2026-01-01T23:59:59.999Z' },
    { jobId: '4', endedAt: at },
  ];
  expect(oldJobs(jobs, { now }).map(({ jobId }) => jobId)).toEqual(['3']);
  expect(oldJobs(jobs, { now: undefined })).toEqual([]);
  const many = Array.from({ length: limits.endedJobs + 2 }, (_, index) => ({ jobId: String(index + 1), endedAt: at }));
  expect(oldJobs(many, { now }).map(({ jobId }) => jobId)).toEqual(['2', '1']);
});
