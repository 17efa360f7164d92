import { expect, it } from 'vitest';
import { withConnectionAdvice } from './connection-advice.ts';

it.each([
  ['PostgreSQL: connect ECONNREFUSED 127.0.0.1:5432.', 'nothing listens at that address'],
  ['Cannot list the bucket "x": ENOTFOUND: getaddrinfo ENOTFOUND no.such.host.', 'no address is known'],
  ['Cannot reach Kafka at k:9092: Connection timeout.', 'nobody answers'],
  ['MongoDB: read ECONNRESET.', 'the server hangs up'],
])('says what to do about: %s', (text, advice) => {
  const whole = withConnectionAdvice(text);
  expect(whole).toContain(`${text.slice(0, -1)}; ${advice}`);
  expect(whole).toMatch(/[^.]\.$/);
  expect(withConnectionAdvice(whole)).toBe(whole);
});

it('leaves any other text as it is', () => {
  expect(withConnectionAdvice('The user may not make schemas.')).toBe('The user may not make schemas.');
});
