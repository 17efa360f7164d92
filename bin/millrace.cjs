#!/usr/bin/env -S node --max-semi-space-size=8
'use strict';
// Old syntax alone: the oldest Node must understand this file, to say that it is too old.
var range = require('../package.json').engines.node;

function numbersOf(version) {
  return version
    .replace(/^[^0-9]*/, '')
    .split('.')
    .map(Number);
}

function isOlder(version, than) {
  var own = numbersOf(version);
  var least = numbersOf(than);
  for (var at = 0; at < least.length; at += 1) {
    if (own[at] !== least[at]) return own[at] < least[at];
  }
  return false;
}

if (isOlder(process.versions.node, range)) {
  console.error(
    'millrace: Node ' +
      process.versions.node +
      ' is too old: Millrace needs Node ' +
      numbersOf(range).join('.') +
      ' or newer.',
  );
  console.error('Install one from https://nodejs.org or with your version manager, then type the same command again.');
  process.exitCode = 2;
} else {
  require('./run.cjs');
}
