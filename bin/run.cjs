'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isBuilt } = require('./built.cjs');

// A package has what was built, a clone its sources as well: it runs them when they are newer. It has the Node for that; below
// node_modules Node strips no types.
const root = join(__dirname, '..');
const source = join(root, 'src', 'main.ts');
const runsSources = existsSync(source) && !isBuilt(root);

if (runsSources && Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`millrace: Node ${process.versions.node} cannot run these sources.`);
  console.error(`Type "npx millrace …" in ${root}: the Node of "npm ci" runs then.`);
  process.exitCode = 2;
} else {
  import(pathToFileURL(runsSources ? source : join(root, 'dist', 'main.js')).href).catch((thrown) => {
    console.error(thrown);
    process.exitCode = 1;
  });
}
