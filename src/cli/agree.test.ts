import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { agree } from './agree.ts';

const proposal = { yes: false, question: 'Do it?', otherwise: 'Nothing was done' };

/** A person at a terminal who types this. */
function person(typed: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(typed);
  const stdout = new PassThrough().resume();
  const terminal = { stdin, stdout, stderr: new PassThrough().resume(), human: true, interactive: true, columns: 80 };
  const config = (): never => {
    throw new Error('not needed');
  };
  return { terminal, signal: new AbortController().signal, config };
}

describe('what a command asks before it does it', () => {
  it('is agreed to with "yes", at the terminal or beforehand', async () => {
    await agree(person('yes\n'), proposal);
    await agree(person(''), { ...proposal, yes: true });
  });

  it('is not agreed to with another answer: nothing is done, and that is no wrong usage', async () => {
    await expect(agree(person('y\n'), proposal)).rejects.toMatchObject({
      code: 'client.differs',
      message: 'Nothing was done: the answer was not "yes".',
    });
  });

  it('D9: needs --yes where nobody can be asked, and where standard input has something else', async () => {
    const refusal = { code: 'input.invalid', message: 'Nothing was done: nobody can be asked here, so give --yes.' };
    const { terminal, ...rest } = person('yes\n');
    await expect(agree({ ...rest, terminal: { ...terminal, interactive: false } }, proposal)).rejects.toMatchObject(
      refusal,
    );
    await expect(agree(person('yes\n'), { ...proposal, inputIsTaken: true })).rejects.toMatchObject(refusal);
  });
});
