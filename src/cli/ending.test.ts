import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { builtEntry } from '../../test/support/built-entry.ts';

const main = await builtEntry('main');
const { PATH = '' } = process.env;
let server: Server | undefined;
const hasFullDevice = existsSync('/dev/full');
if (!hasFullDevice) process.stderr.write('skipped: a full output is not tried: there is no /dev/full here\n');

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A source that answers the first `answers` events, and lets the others wait. */
async function sourceThatStops(answers: number, onWait: () => void): Promise<string> {
  let seen = 0;
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen += 1;
      if (seen <= answers) response.end('OK');
      else onWait();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream/1/shop/secret`;
}

describe('a command that cannot go on', () => {
  it('send says at Ctrl-C what was accepted and what nobody knows, and ends with 130', async () => {
    const waits = Promise.withResolvers<void>();
    const url = await sourceThatStops(2, waits.resolve);
    const child = spawn(process.execPath, [main, 'send', '-', '--to', url, '--concurrency', '1', '--batch', '1'], {
      env: { PATH },
    });
    // Standard input stays open: the command would wait for more.
    child.stdin.write('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n');
    const [closed, stdout, stderr] = [once(child, 'close'), text(child.stdout), text(child.stderr)];
    await waits.promise;
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(await stdout).toBe('interrupted: 2 accepted, 0 refused, 1 without an answer\n');
    expect(await stderr).toBe('');
    child.stdin.destroy();
  });

  it.skipIf(!hasFullDevice)('says that its output cannot be written, without a stack, and ends with 1', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [main, '--help'], { env: { PATH }, stdio: ['ignore', full, 'pipe'] });
      const [closed, stderr] = [once(child, 'close'), child.stderr === null ? '' : text(child.stderr)];
      expect(await closed).toEqual([1, null]);
      expect(await stderr).toMatch(
        /^millrace: Standard output cannot be written: ENOSPC: .*\nLook at the free space .*\n$/,
      );
    } finally {
      closeSync(full);
    }
  });

  it('a content type that is no header is wrong usage, and nothing is sent', async () => {
    const url = await sourceThatStops(0, () => undefined);
    const child = spawn(process.execPath, [main, 'send', '-', '--to', url, '--content-type', 'a\nb'], {
      env: { PATH },
    });
    child.stdin.end('{}');
    const [closed, stderr] = [once(child, 'close'), text(child.stderr)];
    expect(await closed).toEqual([2, null]);
    expect(await stderr).toContain('Invalid character in header content ["Content-Type"]');
  });
});
