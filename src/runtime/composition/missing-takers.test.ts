import { expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import { missingTakers } from './ingest-threads.ts';

const current = { places: undefined };
const takes = { name: 'takes', failure: undefined, current: { places: { ingest: { host: '127.0.0.1', port: 1 } } } };
const waits = { name: 'waits', failure: undefined, current };
const refused = { name: 'refused', failure: new MillraceError('thread.otherBuild', 'restart it'), current };
const silent = { name: 'silent', failure: new MillraceError('thread.silent', 'it was silent'), current };

it.each([
  { takers: [takes, takes], missing: [] },
  { takers: [takes, refused], missing: [] },
  { takers: [takes, refused, silent], missing: ['silent'] },
  { takers: [refused], missing: ['refused'] },
  { takers: [refused, waits], missing: ['refused'] },
  { takers: [refused, silent], missing: ['refused', 'silent'] },
  { takers: [], missing: [] },
])(
  'L2: of threads that take events, one that may not begin is missed when no other takes them',
  ({ takers, missing }) => {
    expect(missingTakers<(typeof takers)[number]>(takers).map(({ name }) => name)).toEqual(missing);
  },
);
