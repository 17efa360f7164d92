import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { Step } from './plan.ts';
import { runSteps } from './run-steps.ts';

const steps: readonly Step[] = ['a', 'b', 'c'].map((sourceId) => ({ kind: 'enable', object: { sourceId } }));

/** Takes the steps before `failing`, which ends with `thrown`; answers what was taken and the rejection. */
async function run(
  failing: string,
  thrown: unknown,
): Promise<{ readonly done: readonly string[]; readonly end: unknown }> {
  const done: string[] = [];
  const end = await runSteps(steps, {
    take: ({ object }) => (object.sourceId === failing ? Promise.reject(thrown as Error) : Promise.resolve()),
    onDone: ({ object }) => done.push(object.sourceId),
  }).catch((reason: unknown) => reason);
  return { done, end };
}

describe('the steps of a plan', () => {
  it('are taken in their order', async () => {
    expect(await run('none', undefined)).toEqual({ done: ['a', 'b', 'c'], end: undefined });
  });

  it('end at the first that fails, with its code, its reason, what was done and what not', async () => {
    const { done, end } = await run('b', new MillraceError('client.unreachable', 'No answer.'));
    expect(done).toEqual(['a']);
    expect(end).toMatchObject({
      code: 'client.unreachable',
      message: `Enabling source b failed: No answer.
Done: source a: enabled.
Not done: source b: enabled; source c: enabled.
Run it again when the reason is gone: it goes on with what is left.`,
    });
    expect((await run('a', new Error('x'))).end).toMatchObject({
      message: expect.stringMatching(/\nDone: nothing\.\n/) as string,
    });
  });

  it('end as cancelled when they are interrupted', async () => {
    const interruption = new DOMException('This operation was aborted', 'AbortError');
    expect((await run('b', interruption)).end).toBe(interruption);
  });
});
