import { existsSync, openSync, readFileSync, unlinkSync } from 'node:fs';
import type { GroupMember } from '../../src/ports/event-log.ts';
import { runThread } from '../../src/runtime/composition/thread.ts';

/**
 * A role thread that hangs when the file named by HANG_ORDER says so: `ingest loop`, `map loop` or `stage loop` and
 * its event loop never turns again, `map round` or `stage round` and its next poll never ends, `map driver` and it waits in
 * the operating system for whoever writes to the pipe HANG_PIPE. With `death` as second word it ends of an error that nobody
 * catches. The file goes when somebody obeys. With `map failing` or `stage failing` each poll fails for as long as the file is there.
 */
await runThread((ports) => ({
  ...ports,
  sourceLog: around(hanging(ports.sourceLog, 'map'), 'append', (append) => obey('ingest', append)),
  sinkLog: hanging(ports.sinkLog, 'stage'),
}));

function hanging<Log extends { join: (...args: never[]) => Promise<GroupMember> }>(log: Log, role: string): Log {
  return around(log, 'join', async (join) => around((await join()) as GroupMember, 'poll', (poll) => obey(role, poll)));
}

function around<Port extends object>(
  port: Port,
  method: string & keyof Port,
  wrap: (call: () => unknown) => unknown,
): Port {
  return new Proxy(port, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, target, args) as unknown;
        return property === method ? wrap(call) : call();
      };
    },
  });
}

function obey(role: string, poll: () => unknown): unknown {
  const order = orderOf(role);
  if (order === 'loop') for (;;);
  if (order === 'driver') openSync(process.env['HANG_PIPE'] ?? '', 'r');
  if (order === 'death') queueMicrotask(die);
  if (order === 'failing') return Promise.reject(new Error('a poll that fails'));
  return order === 'round' ? new Promise(() => undefined) : poll();
}

function orderOf(role: string): string | undefined {
  const path = process.env['HANG_ORDER'] ?? '';
  if (!existsSync(path)) return undefined;
  const [who, what] = readFileSync(path, 'utf8').split(' ');
  if (who !== role) return undefined;
  if (what !== 'failing') unlinkSync(path);
  return what;
}

function die(): never {
  throw new Error('a defect that nobody expected');
}
