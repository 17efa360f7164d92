import { expect, test } from 'vitest';
import { createdJob } from '../../../test/support/any-job.ts';
import type { Job } from './job.ts';
import { jobKey } from './job-key.ts';
import { takeTurns, type TurnsRequest } from './job-turns.ts';
import { takeJob } from './take-job.ts';

const nothing = { busy: [], atOnce: 8, now: 0 };

function job(jobId: number, configurationId: string): Job {
  return createdJob(String(jobId), { configurationId });
}

function begun(one: Job): Job {
  const taking = takeJob(one, { owner: 'a life', at: '2026-01-01T00:00:00.000Z' });
  if (taking.kind !== 'taken') throw new Error('not taken');
  return taking.job;
}

function startedIds(
  queue: readonly string[],
  request: Partial<TurnsRequest> & Pick<TurnsRequest, 'jobs'>,
): readonly string[] {
  return takeTurns(queue, { ...nothing, ...request }).start.map(({ jobId }) => jobId);
}

test('the jobs of one configuration run one at a time, in the order of their numbers', () => {
  const jobs = [job(10, 'a'), job(9, 'a'), job(11, 'b')];
  const turns = takeTurns([], { ...nothing, jobs });
  expect(turns.start.map(({ jobId }) => jobId)).toEqual(['9', '11']);
  expect(turns.wait.map(({ jobId }) => jobId)).toEqual(['10']);
  expect(startedIds([], { jobs: [job(10, 'a')], busy: [job(9, 'a')] })).toEqual([]);
});

test('jobs without a configuration do not wait for each other', () => {
  const jobs = [1, 2, 3].map((id) => createdJob(String(id), { configurationData: '{}' }));
  expect(startedIds([], { jobs })).toEqual(['1', '2', '3']);
});

test('a job that comes with its configuration and names one waits with those of that configuration', () => {
  const jobs = [job(1, 'a'), createdJob('2', { configurationId: 'a', configurationData: '{}' })];
  expect(startedIds([], { jobs })).toEqual(['1']);
});

test('no more run side by side than are allowed', () => {
  const jobs = ['a', 'b', 'c', 'd'].map((id, index) => job(index + 1, id));
  expect(startedIds([], { jobs, atOnce: 2 })).toEqual(['1', '2']);
  expect(startedIds([], { jobs, atOnce: 2, busy: [job(9, 'z')] })).toEqual(['1']);
});

test('a configuration whose job has begun goes to the end of the queue, so that many jobs of one starve nobody', () => {
  let jobs = [1, 2, 3, 4].map((id) => job(id, 'greedy')).concat([job(5, 'b'), job(6, 'c')]);
  let queue: readonly string[] = [];
  const order: string[] = [];
  while (jobs.length > 0) {
    const turns = takeTurns(queue, { ...nothing, jobs, atOnce: 1 });
    queue = turns.queue;
    const [first] = turns.start;
    order.push(first?.jobId ?? 'nothing');
    jobs = jobs.filter(({ jobId }) => jobId !== first?.jobId);
  }
  expect(order).toEqual(['1', '5', '6', '2', '3', '4']);
});

test('one that came earlier has its turn before those that come again and again', () => {
  const { queue } = takeTurns([], { ...nothing, jobs: [job(7, 'b')], busy: [job(1, 'a')], atOnce: 1 });
  expect(startedIds(queue, { jobs: [job(2, 'a'), job(3, 'c'), job(7, 'b')], atOnce: 1 })).toEqual(['7']);
});

test('a job that is delayed holds up nobody, and is told when it is due', () => {
  const delayed = createdJob('1', { configurationId: 'a', notBefore: '2026-01-01T00:00:10.000Z' });
  const due = Date.parse('2026-01-01T00:00:10.000Z');
  const early = takeTurns([], { ...nothing, jobs: [delayed, job(2, 'a')], now: due - 1 });
  expect(early.start.map(({ jobId }) => jobId)).toEqual(['2']);
  expect(early.wait).toEqual([]);
  expect(early.nextDueAt).toBe(due);
  const late = takeTurns([], { ...nothing, jobs: [delayed, job(2, 'a')], now: due });
  expect(late.start.map(({ jobId }) => jobId)).toEqual(['1']);
  expect(late.nextDueAt).toBeUndefined();
});

test('a job whose process died goes before the others of its configuration', () => {
  const jobs = [job(1, 'a'), begun(job(2, 'a'))];
  expect(startedIds([], { jobs })).toEqual(['2']);
});

test('a job that this process runs is not begun again', () => {
  const running = begun(job(2, 'a'));
  expect(takeTurns([], { ...nothing, jobs: [running], busy: [running] })).toEqual({
    start: [],
    wait: [],
    nextDueAt: undefined,
    queue: [],
  });
});

test('the key names branch, component and configuration', () => {
  expect(jobKey(job(1, 'a'))).toBe('1/generic-extractor/configuration:a');
  expect(jobKey(createdJob('7', { configurationData: '{}' }))).toBe('1/generic-extractor/job:7');
});
