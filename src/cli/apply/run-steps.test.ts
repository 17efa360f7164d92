import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
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
    onDone: ({ object }) => done.push(object.sourceId ?? ''),
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

  it('D9: go on after one that is refused, but for what depends on it', async () => {
    const of = (kind: 'delete' | 'disable' | 'enable', sourceId: string, sinkId?: string): Step => ({
      kind,
      object: sinkId === undefined ? { sourceId } : { sourceId, sinkId },
    });
    const given = [
      of('disable', 'a', 'k'),
      of('enable', 'a', 'k'),
      of('disable', 'a', 'l'),
      of('enable', 'a'),
      of('disable', 'b'),
      of('delete', 'b', 'm'),
      of('delete', 'c'),
    ];
    const done: Step[] = [];
    const end: unknown = await runSteps(given, {
      take: ({ kind, object }) =>
        kind === 'disable' && object.sinkId !== 'l'
          ? Promise.reject(new MillraceError('client.refused', `Not ${object.sourceId}.`))
          : Promise.resolve(),
      onDone: (step) => done.push(step),
    }).catch((reason: unknown) => reason);
    expect(done).toEqual([of('disable', 'a', 'l'), of('delete', 'c')]);
    expect(end).toMatchObject({ code: 'client.refused', message: expect.stringContaining('Not b.') as string });
  });

  it('end as cancelled when they are interrupted', async () => {
    const interruption = new DOMException('This operation was aborted', 'AbortError');
    expect((await run('b', interruption)).end).toBe(interruption);
  });

  const creations = Array.from({ length: 20 }, (_, index): Step => {
    const sinkId = `s${index}`;
    const tableId = `in.c-shop.${sinkId}`;
    const sink = {
      sinkId,
      name: sinkId,
      description: '',
      disabled: false,
      allowedSignals: [],
      columns: [],
      settings: {},
    };
    return { kind: 'createSink', object: { sourceId: 'shop', sinkId }, sink: { ...sink, tableId } };
  });

  it('create sinks side by side, no more than eight at a time, and are told in their order', async () => {
    let [running, most] = [0, 0];
    const done: Step[] = [];
    await runSteps(creations, {
      take: async (step) => {
        running += 1;
        most = Math.max(most, running);
        // Some take longer than those behind them.
        for (let turns = creations.indexOf(step) % 3; turns >= 0; turns -= 1) await setImmediate();
        running -= 1;
      },
      onDone: (step) => done.push(step),
    });
    expect(most).toBe(8);
    expect(done).toEqual(creations);
  });

  it('end side by side when nobody answers and those that run have ended; each failure is told, and every step is done or not', async () => {
    const done: Step[] = [];
    const end: unknown = await runSteps(creations, {
      take: async ({ object }) => {
        const number = Number(object.sinkId?.slice(1));
        if (number === 1 || number === 3)
          throw new MillraceError('client.refused', `No ${number % 2 === 1 ? 'odd' : ''} sinks.`);
        await setImmediate();
        if (number === 2) throw new MillraceError('client.unreachable', 'No answer.');
      },
      onDone: (step) => done.push(step),
    }).catch((reason: unknown) => reason);
    expect(done.map(({ object }) => object.sinkId)).toEqual(['s0', 's4', 's5', 's6', 's7', 's8', 's9', 's10']);
    expect(end).toMatchObject({
      code: 'client.refused',
      message: expect.stringMatching(
        /^Creating sink shop\/s1; Creating sink shop\/s3 failed: No odd sinks\.\nCreating sink shop\/s2 failed: No answer\.\nDone: sink shop\/s0: created; sink shop\/s4: created; .* sink shop\/s10: created\.\nNot done: sink shop\/s1: created; sink shop\/s2: created; sink shop\/s3: created; sink shop\/s11: created; .*sink shop\/s19: created\.\n/,
      ) as string,
    });
  });
});
