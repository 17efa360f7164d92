/**
 * The disk's own: writes a page of a file that has its length already and waits for `fdatasync`, again and again for the given time, in a
 * folder. Prints the times as JSON.
 */
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../statistics.ts';

const [folder = '.', seconds = '1', perSecond = '0'] = process.argv.slice(2);
const pages = 1024;
const page = Buffer.alloc(4096, 1);
const path = join(folder, 'syncs');
const file = openSync(path, 'w');
for (let at = 0; at < pages; at += 1) writeSync(file, page, 0, page.length, at * page.length);
fdatasyncSync(file);
const idle = new Int32Array(new SharedArrayBuffer(4));
const took: number[] = [];
const began = performance.now();
for (let count = 0; performance.now() - began < Number(seconds) * 1000; count += 1) {
  if (perSecond !== '0')
    Atomics.wait(idle, 0, 0, Math.max(0, began + (count * 1000) / Number(perSecond) - performance.now()));
  const start = performance.now();
  writeSync(file, page, 0, page.length, (count % pages) * page.length);
  fdatasyncSync(file);
  took.push(performance.now() - start);
}
closeSync(file);
unlinkSync(path);
console.log(JSON.stringify({ p50: quantile(took, 0.5), p99: quantile(took, 0.99), count: took.length }));
