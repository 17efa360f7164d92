import { describe, expect, it } from 'vitest';
import type { MillraceError } from '../../core/millrace-error.ts';
import { Breakage } from './breakage.ts';

/** As the driver rejects a write: the reason comes in a promise of its own. */
function failedCommit(code: number): Promise<never> {
  const reason = Object.assign(new Error(`LMDB error ${code}`), { code });
  return Promise.reject(Object.assign(new Error('Commit failed'), { commitError: Promise.reject(reason) }));
}

const never = new Promise<never>(() => undefined);
const [EIO, ENOSPC] = [5, 28];

function breakage(hangMs?: number): { readonly subject: Breakage; readonly told: string[] } {
  const told: string[] = [];
  const onBroken = ({ code }: MillraceError): void => void told.push(code);
  const rest = hangMs === undefined ? {} : { hangMs };
  return {
    subject: new Breakage({ what: 'log', path: import.meta.dirname, code: 'log.unavailable', onBroken, ...rest }),
    told,
  };
}

describe('what LMDB cannot do', () => {
  it('L1: an input or output error is the last thing that happens in an environment, and is told once', async () => {
    const { subject, told } = breakage();
    await expect(subject.guard(failedCommit(EIO))).rejects.toThrow('LMDB error 5');
    await expect(subject.guard(Promise.resolve(true))).rejects.toMatchObject({ code: 'log.unavailable' });
    subject.mark('again');
    expect(told).toEqual(['data.broken']);
  });

  it('L1: a write that is under way ends when the environment breaks, because the driver may never end it', async () => {
    const { subject } = breakage();
    const writing = subject.guard(never);
    subject.mark('another thread saw it');
    await expect(writing).rejects.toMatchObject({ code: 'log.unavailable' });
  });

  it('L1, D8: a full disk breaks nothing: the next write that succeeds is believed', async () => {
    const { subject, told } = breakage();
    await expect(subject.guard(failedCommit(ENOSPC))).rejects.toThrow('LMDB error 28');
    expect(await subject.guard(Promise.resolve(true))).toBe(true);
    expect([subject.error, told]).toEqual([undefined, []]);
  });

  it('L1: a write that never ends after one for which there was no space breaks the environment', async () => {
    const { subject, told } = breakage(1);
    await expect(subject.guard(failedCommit(ENOSPC))).rejects.toThrow('LMDB error 28');
    await expect(subject.guard(never)).rejects.toMatchObject({ code: 'log.unavailable' });
    expect(told).toEqual(['data.broken']);
  });
});
