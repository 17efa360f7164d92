import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../values/json-value.ts';
import { addressOf, httpRequest } from './request.ts';

const base = 'https://api.test/v1/';
const url = (endpoint: string, params: JsonObject = {}, baseUrl = base): string =>
  httpRequest({ endpoint, method: undefined, params, headers: {} }, baseUrl).url;

describe('1.1: the address of a request', () => {
  test.each([
    ['users', base, 'https://api.test/v1/users'],
    ['users', 'https://api.test/v1', 'https://api.test/users'],
    ['/users', base, 'https://api.test/users'],
    ['https://other.test/a', base, 'https://other.test/a'],
    ['', base, base],
  ])('%s below %s is %s', (endpoint, baseUrl, address) => {
    expect(addressOf(endpoint, baseUrl)).toBe(address);
  });

  test('that is none is refused', () => {
    expect(() => addressOf('http://[', base)).toThrow('The endpoint "http://[" is no address below');
  });
});

describe('1.2: the parameters of a GET', () => {
  it('take the place that the endpoint has for them', () => {
    expect(url('users?a=1&limit=7&b=2', { limit: 2, offset: 0 })).toBe(`${base}users?a=1&limit=2&b=2&offset=0`);
  });

  it('are written as PHP does', () => {
    const params = { t: ['a b', true, null], f: { x: false, y: { z: 1.5 } }, n: null, 'ž~': '*&+' };
    expect(url('u', params)).toBe(
      `${base}u?t%5B0%5D=a+b&t%5B1%5D=1&f%5Bx%5D=0&f%5By%5D%5Bz%5D=1.5&%C5%BE%7E=%2A%26%2B`,
    );
  });

  it('leave a query without any as it is', () => {
    expect(url('users?a=%20b+c')).toBe(`${base}users?a=%20b+c`);
  });
});

describe('1.2: the body of a POST', () => {
  const job = { endpoint: 'users?x=1', params: { a: [1], b: 'é' }, headers: { 'X-A': 1, 'X-B': null } };

  it('is JSON, and the address has no parameters of it', () => {
    expect(httpRequest({ ...job, method: 'post' }, base)).toEqual({
      method: 'POST',
      url: `${base}users?x=1`,
      headers: { 'Content-Type': 'application/json', 'X-A': '1' },
      body: '{"a":[1],"b":"\\u00e9"}',
    });
  });

  it('or a form', () => {
    expect(httpRequest({ ...job, method: 'Form' }, base)).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a%5B0%5D=1&b=%C3%A9',
    });
  });

  it('has its own type where the job names one', () => {
    const headers = { 'content-type': 'application/vnd.api+json' };
    expect(httpRequest({ ...job, method: 'POST', headers }, base).headers).toEqual(headers);
  });
});

test('1.1: another method is refused', () => {
  expect(() => httpRequest({ endpoint: 'a', method: 'PUT', params: {}, headers: {} }, base)).toThrow(
    'The "method" property must be on of "GET", "POST", "FORM".',
  );
});
