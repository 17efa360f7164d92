import { expect, test } from 'vitest';
import { provideDisposableStack } from './disposable-stack.ts';

const holder: { AsyncDisposableStack?: typeof AsyncDisposableStack } = {};
provideDisposableStack(holder);

/** The language's own, and the one for a Node without it: they must not differ. */
const stacks = [globalThis.AsyncDisposableStack, holder.AsyncDisposableStack!] as const;

test.each(stacks)('closes in reverse, one after the other, also what is moved', async (Stack) => {
  const closed: string[] = [];
  const close = (name: string) => async (): Promise<void> => {
    await Promise.resolve();
    closed.push(name);
  };
  const stack = new Stack();
  stack.defer(close('deferred'));
  expect(stack.use({ [Symbol.asyncDispose]: close('used'), name: 'a' }).name).toBe('a');
  stack.use({ [Symbol.dispose]: () => void closed.push('at once') });
  expect(stack.use(undefined)).toBeUndefined();
  expect(stack.adopt(7, (value) => void closed.push(`adopted ${value}`))).toBe(7);
  const moved = stack.move();
  expect([stack.disposed, moved.disposed]).toEqual([true, false]);
  expect(() => stack.defer(close('never'))).toThrow(ReferenceError);
  await stack.disposeAsync();
  expect(closed).toEqual([]);
  await moved[Symbol.asyncDispose]();
  await moved.disposeAsync();
  expect(closed).toEqual(['adopted 7', 'at once', 'used', 'deferred']);
});

test.each(stacks)('closes the rest when something fails, and tells it', async (Stack) => {
  const closed: string[] = [];
  const stack = new Stack();
  stack.defer(() => void closed.push('first'));
  stack.defer(() => {
    throw new Error('no');
  });
  await expect(stack.disposeAsync()).rejects.toThrow('no');
  expect(closed).toEqual(['first']);
});

test('the stack of the language is left where there is one', () => {
  const own = globalThis.AsyncDisposableStack;
  provideDisposableStack();
  expect(globalThis.AsyncDisposableStack).toBe(own);
});
