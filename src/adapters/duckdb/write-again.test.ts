import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PowerSupply, whyNoPowerCuts } from '../../../test/chaos/power/power-supply.ts';
import { FailingDisk } from '../../../test/support/failing-disk.ts';

const disk = whyNoPowerCuts() === undefined ? FailingDisk.build() : undefined;

let folder: string;
let power: PowerSupply;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-write-again-'));
  for (const name of ['data', 'work']) mkdirSync(join(folder, name));
  power = new PowerSupply(join(folder, 'data'), join(folder, 'work'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Runs a program of Node beside the files `t` and `t.wal`, which are durable, then what is done before they are
 * believed, and cuts the power.
 */
function writtenAgainAfter(program: string): void {
  const module = JSON.stringify(join(import.meta.dirname, 'write-again.ts'));
  const text = `
    const fs = require('node:fs');
    const sync = (path) => { const file = fs.openSync(path, 'r'); try { fs.fsyncSync(file); } finally { fs.closeSync(file); } };
    const over = (path, text, at) => { const file = fs.openSync(path, 'r+'); fs.writeSync(file, text, at); fs.closeSync(file); };
    const failing = (path) => {
      fs.writeFileSync(process.env.FAILING_DISK, 'sync / 1');
      try { sync(path); } catch { return; }
      throw new Error(path + ' did not fail');
    };
    fs.writeFileSync('t', 'a'.repeat(20_000));
    fs.writeFileSync('t.wal', 'old log');
    for (const path of ['t', 't.wal', '.']) sync(path);
    ${program}
    const path = process.cwd() + '/t';
    import(${module}).then(({ bringLogBack, writeAgain }) => bringLogBack(path).then(() => writeAgain(path)));`;
  const env = { ...process.env, ...power.environmentWith(disk?.env) };
  execFileSync(process.execPath, ['-e', text], { cwd: join(folder, 'data'), env });
  power.cut(() => 0);
}

/** What the disk has of a file. */
function durable(name: string): string | undefined {
  const path = join(folder, 'data', name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

describe.skipIf(disk === undefined)('what is written again after a sync that failed', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  it('L1: is on the disk: the head of the table file', () => {
    writtenAgainAfter(`over('t', 'B'.repeat(4096), 8192); failing('t');`);
    expect(durable('t')).toBe(`${'a'.repeat(8192)}${'B'.repeat(4096)}${'a'.repeat(7712)}`);
  });

  it('L1: is on the disk: the bytes of the log', () => {
    writtenAgainAfter(`over('t.wal', 'a longer log'); failing('t.wal');`);
    expect(durable('t.wal')).toBe('a longer log');
  });

  it('L1: is on the disk: the name of the log', () => {
    writtenAgainAfter(`fs.unlinkSync('t.wal'); fs.writeFileSync('t.wal', 'another log'); sync('t.wal'); failing('.');`);
    expect(durable('t.wal')).toBe('another log');
  });

  it('L1: is on the disk: that there is no log, so that an old one does not come back', () => {
    writtenAgainAfter(`fs.unlinkSync('t.wal'); failing('.');`);
    expect(durable('t.wal')).toBe('');
    expect(durable('t.wal.aside')).toBeUndefined();
  });

  it('L1: is on the disk: a log that a kill has left under its other name', () => {
    writtenAgainAfter(`fs.renameSync('t.wal', 't.wal.aside'); failing('.');`);
    expect(durable('t.wal')).toBe('old log');
    expect(durable('t.wal.aside')).toBeUndefined();
  });
});
