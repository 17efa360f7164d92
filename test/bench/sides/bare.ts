import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadedSide } from './loaded-side.ts';

/** Starts the bare server in a process of its own. */
export async function startBare(): Promise<LoadedSide> {
  const child = fork(new URL('bare-server.ts', import.meta.url), { execArgv: [] });
  const exited = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  return {
    name: 'bare',
    pid: child.pid ?? 0,
    url: new URL(`http://127.0.0.1:${port}/stream/1/bench/x`),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
