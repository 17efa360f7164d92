import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../config/secrets.ts';
import { parsePostgresUrl } from './url.ts';

describe('the URL of PostgreSQL', () => {
  it('gives its parts, percent-decoded', () => {
    const place = parsePostgresUrl(new Secret('postgres://mill%40race:p%2Fw%3A%25@db.example:6432/my%20shop'));
    expect(place).toMatchObject({ host: 'db.example', port: 6432, user: 'mill@race', database: 'my shop' });
    expect(place.password.reveal()).toBe('p/w:%');
    expect(parsePostgresUrl(new Secret('postgresql://a@[::1]/b'))).toMatchObject({ host: '::1', port: 5432 });
  });

  it.each([
    ['mysql://millrace:hush-hush@db/shop', 'is not postgres://'],
    ['hush-hush', 'is not postgres://'],
    ['postgres://millrace:hush-hush@db/shop?sslmode=no-verify', 'has parameters'],
    ['postgres://:hush-hush@db/shop', 'has no user'],
    ['postgres://millrace:hush-hush@db', 'has no database'],
    ['postgres://millrace:hush-hush@db/', 'has no database'],
    ['postgres://millrace:hush-hush@db/100%', 'has a "%"'],
  ])('D9: refuses %s with the reason and without the password', (text, reason) => {
    const refused = (): unknown => {
      try {
        return parsePostgresUrl(new Secret(text));
      } catch (thrown) {
        return thrown;
      }
    };
    expect(refused()).toMatchObject({ code: 'config.invalid' });
    expect(String(refused())).toContain(reason);
    expect(inspect(refused(), { depth: 20 })).not.toContain('hush-hush');
  });
});
