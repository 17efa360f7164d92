import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailingDisk } from '../../support/failing-disk.ts';
import { PowerSupply, whyNoPowerCuts } from './power-supply.ts';

const missing = whyNoPowerCuts();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

let folder: string;
let power: PowerSupply;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-power-'));
  for (const name of ['data', 'work']) mkdirSync(join(folder, name));
  power = new PowerSupply(join(folder, 'data'), join(folder, 'work'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a program of Node in the watched folder; `sync(path)` and `put(path, text)` are there. */
function run(program: string, other?: Readonly<Record<string, string>>): void {
  const prelude = `
    const fs = require('node:fs');
    const put = (path, text) => fs.writeFileSync(path, text);
    const sync = (path) => { const file = fs.openSync(path, 'r'); fs.fsyncSync(file); fs.closeSync(file); };
    const over = (path, text, at) => { const file = fs.openSync(path, 'r+'); fs.writeSync(file, text, at); fs.closeSync(file); };`;
  execFileSync(process.execPath, ['-e', prelude + program], {
    cwd: join(folder, 'data'),
    env: { ...process.env, ...power.environmentWith(other) },
  });
}

/** A disk that has written nothing by itself, and one that has written all. */
const lazy = (): number => 0;
function eager(): () => number {
  let asked = 0;
  return () => ((asked += 1) === 2 ? 0.99 : 0.5);
}

function text(path: string): string {
  return readFileSync(join(folder, 'data', path), 'utf8');
}

function names(path = ''): readonly string[] {
  return readdirSync(join(folder, 'data', path)).sort();
}

describe.skipIf(missing !== undefined)('a disk after a cut of the power', () => {
  it('has what was synced, with its name', () => {
    run(`put('a', 'one'); sync('a'); sync('.');`);
    expect(power.cut(lazy)).toEqual({ forgotten: 0, kept: 0 });
    expect(text('a')).toBe('one');
  });

  it('has no file whose folder was not synced, though the file was', () => {
    run(`put('a', 'one'); sync('a'); put('b', 'two'); sync('.'); put('c', 'three'); sync('c');`);
    power.cut(lazy);
    expect(names()).toEqual(['a', 'b']);
    expect([text('a'), text('b')]).toEqual(['one', '']);
  });

  it('has the bytes before the last sync of a file', () => {
    run(`put('a', 'one two'); sync('a'); sync('.');`);
    power.cut(lazy);
    run(`over('a', 'ONE', 0); sync('a'); over('a', 'TWO three', 4);`);
    expect(text('a')).toBe('ONE TWO three');
    expect(power.cut(lazy)).toEqual({ forgotten: 1, kept: 0 });
    expect(text('a')).toBe('ONE two');
  });

  it('has what was written after a sync that failed, and not what that sync should have covered', () => {
    using disk = FailingDisk.build();
    run(`put('a', 'one'); put('b', 'one'); for (const name of ['a', 'b', '.']) sync(name);`);
    power.cut(lazy);
    run(
      `for (const name of ['a', 'b']) {
         fs.writeFileSync(process.env.FAILING_DISK, 'sync / 1');
         over(name, 'two', 0);
         try { sync(name); } catch { over('b', 'two', 0); }
         sync(name);
       }`,
      disk?.env,
    );
    power.cut(lazy);
    expect([text('a'), text('b')]).toEqual(['one', 'two']);
  });

  it('has what was written through a descriptor that syncs by itself, but for a write that failed or did not return', () => {
    using disk = FailingDisk.build();
    run(`put('a', '...'); sync('a'); sync('.');`);
    power.cut(lazy);
    run(
      `const file = fs.openSync('a', fs.constants.O_RDWR | fs.constants.O_DSYNC);
       fs.writeSync(file, 'one', 0);
       fs.writeFileSync(process.env.FAILING_DISK, 'meta /a$ 1');
       try { fs.writevSync(file, [Buffer.from('t'), Buffer.from('wo')], 0); } catch {}`,
      disk?.env,
    );
    expect(text('a')).toBe('two');
    expect(power.cut(lazy)).toEqual({ forgotten: 1, kept: 0 });
    expect(text('a')).toBe('one');
  });

  it('has what a second process synced, and not what it did not', () => {
    run(`put('a', 'one'); sync('a'); sync('.');`);
    run(`over('a', 'two', 0); sync('a'); over('a', 'six', 0);`);
    expect(power.cut(lazy)).toEqual({ forgotten: 1, kept: 0 });
    expect(text('a')).toBe('two');
  });

  it('has the file again that was removed or replaced without a sync of its folder', () => {
    run(`put('a', 'one'); put('b', 'two'); put('c', 'three'); for (const name of ['a', 'b', 'c', '.']) sync(name);`);
    power.cut(lazy);
    run(`fs.unlinkSync('a'); fs.renameSync('b', 'c'); put('d', 'four'); sync('d'); fs.truncateSync('c', 1);`);
    expect(names()).toEqual(['c', 'd']);
    power.cut(lazy);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect([text('a'), text('b'), text('c')]).toEqual(['one', 'two', 'three']);
  });

  it('has what was renamed, linked and removed before a sync of the folder', () => {
    run(`fs.mkdirSync('x'); put('x/a', 'one'); sync('x/a'); fs.linkSync('x/a', 'x/b'); fs.renameSync('x/a', 'x/c');
         put('x/d', 'two'); fs.unlinkSync('x/d'); sync('x'); sync('.');`);
    expect(power.cut(lazy)).toEqual({ forgotten: 1, kept: 0 });
    expect(names('x')).toEqual(['b', 'c']);
    expect(text('x/b')).toBe('one');
  });

  it('has no folder, and nothing in it, that was made and is in no synced folder', () => {
    run(`fs.mkdirSync('x'); put('x/a', 'one'); sync('x/a'); sync('x');`);
    power.cut(lazy);
    expect(existsSync(join(folder, 'data', 'x'))).toBe(false);
  });

  it('has nothing of a folder that was removed before a sync of the one above it', () => {
    run(
      `fs.mkdirSync('x'); for (const name of ['a', 'b']) put('x/' + name, 'one'); for (const name of ['x/a', 'x/b', 'x', '.']) sync(name);`,
    );
    power.cut(lazy);
    run(`fs.unlinkSync('x/a'); fs.renameSync('x/b', 'c'); fs.rmdirSync('x'); sync('.');`);
    power.cut(lazy);
    expect(names()).not.toContain('x');
  });

  it('may have what was not synced', () => {
    run(`put('a', 'one'); put('b', 'two');`);
    expect(power.cut(eager())).toEqual({ forgotten: 0, kept: 4 });
    expect([text('a'), text('b')]).toEqual(['one', 'two']);
  });

  it('has a synced file whole, though a file elsewhere has its number by now', () => {
    run(`const file = fs.openSync('a', 'w'); fs.writeSync(file, 'one'); fs.fsyncSync(file); fs.closeSync(file); sync('.');
         const other = fs.openSync('../elsewhere', 'w'); if (other !== file) throw new Error('not the same number');
         fs.writeSync(other, 'two');`);
    expect(power.cut(lazy)).toEqual({ forgotten: 0, kept: 0 });
    expect(text('a')).toBe('one');
  });

  it('has what one thread synced, whatever another writes meanwhile', () => {
    run(`const { Worker } = require('node:worker_threads');
      put('a', ''); put('b', ''); sync('.');
      const work = (name, syncs) => new Promise((resolve) => new Worker(
        'const fs = require("node:fs"); const file = fs.openSync("' + name + '", "r+");' +
        'for (let n = 0; n < 500; n += 1) { fs.writeSync(file, "x");' + (syncs ? 'fs.fdatasyncSync(file);' : '') + ' }',
        { eval: true }).on('exit', resolve));
      Promise.all([work('a', true), work('b', false)]);`);
    expect(power.cut(lazy)).toEqual({ forgotten: 500, kept: 0 });
    expect([text('a').length, text('b').length]).toEqual([500, 0]);
  });
});
