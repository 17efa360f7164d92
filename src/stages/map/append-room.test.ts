import { expect, it } from 'vitest';
import { AppendRoom } from './append-room.ts';

const never = { signal: new AbortController().signal };

it('D8: lets in what there is room for, and what is larger than all room alone', async () => {
  const room = new AppendRoom(100);
  await room.enter(60, never);
  await room.enter(40, never);
  const entered: number[] = [];
  const waiting = [30, 500].map(async (bytes) => {
    await room.enter(bytes, never);
    entered.push(bytes);
  });
  await Promise.resolve();
  expect(entered).toEqual([]);
  room.leave(60);
  await waiting[0];
  expect(entered).toEqual([30]);
  room.leave(40);
  room.leave(30);
  await Promise.all(waiting);
  expect(entered).toEqual([30, 500]);
});

it('whoever waits leaves with its signal and takes no room', async () => {
  const room = new AppendRoom(100);
  await room.enter(100, never);
  const leaving = new AbortController();
  const waiting = room.enter(1, leaving);
  leaving.abort(new Error('leave'));
  await expect(waiting).rejects.toThrow('leave');
  room.leave(100);
  await room.enter(100, never);
});
