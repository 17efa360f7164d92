import { expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import { missingTakers } from './ingest-threads.ts';

const runs = { name: 'runs', failure: undefined };
const refused = { name: 'refused', failure: new MillraceError('thread.otherBuild', 'restart it') };
const silent = { name: 'silent', failure: new MillraceError('thread.silent', 'it was silent') };

it.each([
  [[runs, runs], []],
  [[runs, refused], []],
  [[runs, refused, silent], ['silent']],
  [[refused], ['refused']],
  [
    [refused, silent],
    ['refused', 'silent'],
  ],
  [[], []],
])('L2: of threads that take events, one that may not begin is missed when no other takes them', (takers, missing) => {
  expect(missingTakers(takers).map(({ name }) => name)).toEqual(missing);
});
