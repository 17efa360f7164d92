import { describe, expect, it } from 'vitest';
import { readRefusal } from './read-refusal.ts';

const ours = (rest: object): string => JSON.stringify({ error: 'stream.in.some', message: 'why', ...rest });

type Case = readonly [title: string, status: number, body: string, mayBeStored: boolean];

describe('D1: an answer without success', () => {
  it.each<Case>([
    ['says that nothing was stored', 503, ours({ stored: 'no' }), false],
    ['says that it may be stored', 503, ours({ stored: 'maybe' }), true],
    ['says something of it that this release does not know', 503, ours({ stored: 'partly' }), true],
    ['is of Millrace and comes before anything is stored', 503, ours({}), false],
    ['is of Millrace: the request did not arrive', 408, ours({}), false],
    ['is of a proxy, which does not know', 502, '<html>Bad Gateway</html>', true],
    ['is of a proxy that did not wait', 408, '', true],
    ['is of a proxy that did not pass it on', 413, '<html>Too Large</html>', false],
    ['says it of each source', 503, ours({ sources: [{ statusCode: 503, stored: 'no' }] }), false],
    [
      'tells of one source that has them',
      503,
      ours({ sources: [{ statusCode: 503, stored: 'no' }, { statusCode: 200 }] }),
      true,
    ],
    ['tells of one source that may have them', 503, ours({ sources: [{ statusCode: 503, stored: 'maybe' }] }), true],
  ])('%s', (...[, status, body, mayBeStored]) => {
    expect(readRefusal(status, body).mayBeStored).toBe(mayBeStored);
  });

  it('has its message as the reason, else what it begins with', () => {
    expect(readRefusal(503, ours({})).reason).toBe('why');
    expect(readRefusal(502, 'x'.repeat(400)).reason).toBe('x'.repeat(300));
  });
});
