import { Server } from 'node:net';

/**
 * Does to the listener of this thread at a port what the operating system does when a connection cannot be taken. False when there is
 * none.
 */
export function failListenerAt(port: number): boolean {
  const handles = (process as typeof process & { _getActiveHandles(): readonly unknown[] })._getActiveHandles();
  const servers = handles.filter((handle) => handle instanceof Server);
  const server = servers.find((one) => JSON.stringify(one.address()).includes(`"port":${port}`));
  return (
    server?.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS', syscall: 'accept' })) ?? false
  );
}
