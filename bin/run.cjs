'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

// A clone runs its sources, and has the Node for them. A package has what was built: Node strips no types below node_modules.
const root = join(__dirname, '..');
const source = join(root, 'src', 'main.ts');
const isClone = existsSync(source);

if (isClone && Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`millrace: Node ${process.versions.node} cannot run these sources.`);
  console.error(`Type "npx millrace …" in ${root}: the Node of "npm ci" runs then.`);
  process.exitCode = 2;
} else {
  import(pathToFileURL(isClone ? source : join(root, 'dist', 'main.js')).href).catch((thrown) => {
    console.error(thrown);
    process.exitCode = 1;
  });
}
