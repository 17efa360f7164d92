'use strict';
const { createHash } = require('node:crypto');
const { readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** What the build was made of stands here, in `dist`. */
const stampName = 'sources.sha256';

/** Whether `dist` was built from the sources of this clone as they are; a file that was touched since makes it old. */
function isBuilt(root) {
  try {
    return readFileSync(join(root, 'dist', stampName), 'utf8') === stampOf(root);
  } catch {
    return false;
  }
}

/** For `rolldown`: nobody takes `dist` for whole while it is written. */
function stampBuild(root) {
  const stamp = join(root, 'dist', stampName);
  let sources;
  return {
    name: 'stamp',
    buildStart() {
      sources = stampOf(root);
      rmSync(stamp, { force: true });
    },
    writeBundle() {
      writeFileSync(stamp, sources);
    },
  };
}

/** Of path, size and time of all that is built: to read them would take longer than the start gains. */
function stampOf(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    // A copy that keeps times keeps their milliseconds.
    hash.update(`${path} ${size} ${Math.round(mtimeMs)}\n`);
  };
  for (const path of ['rolldown.config.ts', 'package.json', 'package-lock.json']) add(path);
  for (const entry of readdirSync(join(root, 'src'), { recursive: true }).sort())
    if (entry.endsWith('.ts') && !entry.endsWith('.test.ts')) add(join('src', entry));
  return hash.digest('hex');
}

module.exports = { isBuilt, stampBuild };
