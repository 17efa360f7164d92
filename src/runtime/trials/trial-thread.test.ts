import { afterEach, expect, test } from 'vitest';
import { mappingOf } from '../../../test/support/mapping-fixture.ts';
import type { Column } from '../../core/column.ts';
import { runTest } from '../../control/trials/run-test.ts';
import type { PayloadTest } from '../../control/trials/trials.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { TrialThread, trialLimits } from './trial-thread.ts';

const signal = new AbortController().signal;
const endless = 'local f(n) = f(n + 1) tailstrict; f(0)';
const key = { branchId: 1, sourceId: 's', projectId: 7 } as PayloadTest['key'];

function template(name: string, content: string): Column {
  return { type: 'template', name, rawString: false, template: { language: 'jsonnet', content } };
}

function testOf(columns: readonly Column[], events = 1): PayloadTest {
  const record = { value: Buffer.from('{"a":1}'), headers: ['content-type', 'application/json'], timestamp: 0 };
  const place = { topic: 't', partition: 0, offset: 0 };
  return {
    key,
    sinks: [{ sinkId: 'k', isDisabled: false, mapping: mappingOf(columns) }],
    events: Array.from({ length: events }, () => ({ record, place })),
  };
}

let trials: TrialThread;
afterEach(() => trials[Symbol.asyncDispose]());

/** Microseconds of processor time of this thread. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

test('D8: a payload that meets a hundred columns without end takes next to nothing of the main thread', async () => {
  trials = new TrialThread();
  const columns = Array.from({ length: 100 }, (_, at) => template(`c${at}`, endless));
  const hostile = testOf(columns, 2);
  // The start of the thread, which is not what is compared.
  await trials.test(testOf([template('a', '1')]), { signal });
  const beside = await costOf(async () => {
    const { status, body } = await trials.test(hostile, { signal });
    expect(status).toBe(422);
    expect(Buffer.from(body).toString()).toContain('limit steps exceeded');
  });
  const here = await costOf(() => runTest(hostile, { templates: createTemplates(), onCell: () => undefined }));
  expect(here / beside).toBeGreaterThan(3);
});

test('a trial that takes too long is ended, in words that name the column, and the next one runs', async () => {
  trials = new TrialThread({ steps: 1e12 }, { ...trialLimits, runMs: 1500 });
  const late = trials.test(testOf([template('quick', '1'), template('slow', endless)]), { signal });
  await expect(late).rejects.toMatchObject({
    code: 'trial.tooLong',
    message:
      'the sinks take too long for the payload, column "quick" of sink "k" longest: it was ended after 1.5 seconds; let templates do less, or send less at a time',
  });
  expect((await trials.test(testOf([template('quick', '1')]), { signal })).status).toBe(200);
});

test('so many trials may wait and no more; who leaves makes room', async () => {
  trials = new TrialThread({ steps: 1e12 }, { ...trialLimits, runMs: 60_000, waiting: 1 });
  const gone = new AbortController();
  const running = trials.test(testOf([template('slow', endless)]), { signal: gone.signal });
  const waiting = trials.test(testOf([template('quick', '1')]), { signal });
  await expect(trials.test(testOf([]), { signal })).rejects.toMatchObject({ code: 'trial.busy' });
  gone.abort(new Error('gone'));
  await expect(running).rejects.toThrow('gone');
  expect((await waiting).status).toBe(200);
});

test('whose time is over while others run is told that it waited, at once, and not that its templates are slow', async () => {
  trials = new TrialThread({ steps: 1e12 }, { ...trialLimits, runMs: 60_000 });
  const late = (): DOMException => new DOMException('the request took too long', 'TimeoutError');
  const waited = {
    code: 'trial.busy',
    message: expect.stringMatching(
      /^the request took too long, because it waited \d+ s for trials of other callers, which run one after the other: ask again in some seconds$/,
    ) as string,
  };
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const running = trials.test(testOf([template('slow', endless)]), { signal: first.signal });
  const waiting = trials.test(testOf([template('quick', '1')]), { signal: second.signal });
  const slow = trials.test(testOf([template('slow', endless)]), { signal: third.signal });
  const patient = trials.test(testOf([template('quick', '2')]), { signal });
  second.abort(late());
  await expect(waiting).rejects.toMatchObject(waited);
  // Its own time, which it had for itself.
  first.abort(late());
  await expect(running).rejects.toMatchObject({ name: 'TimeoutError' });
  third.abort(late());
  await expect(slow).rejects.toMatchObject(waited);
  expect((await patient).status).toBe(200);
});

test('who leaves while it waits lets nobody run before its turn', async () => {
  trials = new TrialThread({ steps: 1e12 }, { ...trialLimits, runMs: 60_000 });
  const [first, second] = [new AbortController(), new AbortController()];
  const ended: string[] = [];
  const running = trials.test(testOf([template('slow', endless)]), { signal: first.signal });
  const left = trials.test(testOf([template('quick', '1')]), { signal: second.signal });
  const last = trials.test(testOf([template('quick', '2')]), { signal }).then(() => ended.push('last'));
  second.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  first.abort(new Error('gone'));
  await expect(running.finally(() => ended.push('first'))).rejects.toThrow('gone');
  await last;
  expect(ended).toEqual(['first', 'last']);
});

test('D8: long templates are checked beside the main thread, and the refusal is the same', async () => {
  trials = new TrialThread();
  const long = (content: string): string => `// ${'x'.repeat(4090 - content.length)}\n${content}`;
  for (const padded of [(content: string) => content, long]) {
    await trials.check(mappingOf([template('a', padded('1')), template('b', padded('2'))]), { signal });
    const wrong = trials.check(mappingOf([template('a', padded('1')), template('b', padded('nope'))]), { signal });
    await expect(wrong).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringMatching(/^column "b" template is invalid: \d:1-5 Unknown variable: nope$/) as string,
    });
  }
});

test('an answer is that of the mapping, with what a sink leaves out', async () => {
  trials = new TrialThread();
  const { status, body } = await trials.test(testOf([template('a', 'Body("a") + 1')]), { signal });
  expect([status, JSON.parse(Buffer.from(body).toString())]).toEqual([
    200,
    {
      projectId: 7,
      branchId: 1,
      sourceId: 's',
      tables: [{ sinkId: 'k', tableId: mappingOf([]).tableId, rows: [{ columns: [{ name: 'a', value: '2' }] }] }],
    },
  ]);
});
