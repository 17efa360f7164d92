import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Answer, configurationOf, extract, SleepingClock, type Asked } from '../../../test/support/extraction.ts';
import type { JsonObject, JsonValue } from '../values/json-value.ts';

const jobs = [{ endpoint: 'users?a=1', params: { q: 'x' } }];
const withAuthentication = (
  authentication: JsonObject,
  more: JsonObject = {},
  config: JsonObject = {},
): JsonObject => ({
  ...configurationOf({ authentication, ...more }, { jobs, ...config }),
  authorization: {
    oauth_api: { credentials: { '#data': '{"access":{"token":"tok"}}', appKey: 'key', '#appSecret': 'secret' } },
  },
});

describe('1.3: authentication', () => {
  it('basic: a header of user and password', async () => {
    for (const config of [
      { username: 'u', '#password': 'pä' },
      { '#username': 'u', password: 'pä' },
    ]) {
      const { requests } = await extract(withAuthentication({ type: 'basic' }, {}, config), () => []);
      expect(requests[0]?.headers['authorization']).toBe(`Basic ${Buffer.from('u:pä').toString('base64')}`);
    }
  });

  it('query: parameters of each request, by functions of attributes, the query and the request', async () => {
    const query = {
      key: { attr: '#k' },
      a: 'own',
      sum: { function: 'md5', args: [{ function: 'concat', args: [{ query: 'q' }, { request: 'path' }] }] },
    };
    for (const type of ['query', 'url.query']) {
      const { asked } = await extract(withAuthentication({ type, query }, {}, { '#k': 's e' }), () => []);
      expect(asked[0]).toMatch(/^GET \/users\?a=own&q=x&key=s\+e&sum=[0-9a-f]{32}$/);
    }
  });

  it('query: `request` is the request as it stands, its port the real one, its name without one', async () => {
    const names = ['path', 'queryString', 'method', 'hostname', 'resource'];
    const query = Object.fromEntries(names.map((name) => [name, { request: name }]));
    const { asked } = await extract(
      withAuthentication({ type: 'query', query: { ...query, port: { request: 'port' } } }),
      () => [],
    );
    const told = new URL(String(asked[0]?.split(' ')[1]), 'http://api/').searchParams;
    expect(names.map((name) => told.get(name))).toEqual(['/users', 'a=1&q=x', 'GET', '127.0.0.1', '/users?a=1&q=x']);
    expect(Number(told.get('port'))).toBeGreaterThan(1023);
  });

  it('what identifies the sender is not in the message of a failure', async () => {
    const query = { key: { attr: '#k' } };
    const { failure } = await extract(withAuthentication({ type: 'query', query }, {}, { '#k': 'secret' }), [
      new Answer(403, 'no'),
    ]);
    expect(failure).toBe(
      'The API request failed: [403] Client error: `GET http://api/users?a=1&q=x` resulted in a `403 Forbidden` response:\nno',
    );
  });

  it('oauth20: headers and query of the data of the authorization, made anew for each request', async () => {
    const authentication = {
      type: 'oauth20',
      format: 'json',
      headers: {
        Authorization: { function: 'concat', args: ['Bearer ', { authorization: 'data.access.token' }] },
        'X-Nonce': { authorization: 'nonce' },
        'X-Time': { authorization: 'timestamp' },
        'X-Sum': { function: 'hash_hmac', args: ['sha256', { request: 'resource' }, { authorization: 'clientId' }] },
      },
      query: { client: { authorization: 'clientId' } },
    };
    const { asked, requests } = await extract(withAuthentication(authentication), () => []);
    expect(asked).toEqual(['GET /users?a=1&q=x&client=key']);
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer tok',
      'x-nonce': '8888888888888888',
      'x-time': '1717200000',
      'x-sum': createHmac('sha256', 'key').update('/users?a=1&q=x').digest('hex'),
    });
  });

  it('oauth20: the data may be a text', async () => {
    const headers = { 'X-Data': { authorization: 'data' } };
    const { requests } = await extract(withAuthentication({ type: 'oauth20', headers }), () => []);
    expect(requests[0]?.headers['x-data']).toBe('{"access":{"token":"tok"}}');
  });
});

const login = (more: JsonObject = {}): JsonObject => ({
  type: 'login',
  loginRequest: { endpoint: 'login', method: 'POST', params: { user: { attr: 'user' } }, headers: { 'X-L': 'l' } },
  apiRequest: { headers: { 'X-Token': 'auth.token' }, query: { sid: { response: 'sid' }, by: { attr: 'user' } } },
  ...more,
});

/** An API with a login whose token is the number of the request. */
const api =
  (answer: (at: number) => JsonValue | Answer) =>
  ({ path }: Asked, at: number): JsonValue | Answer =>
    path === '/login' ? answer(at) : [{ id: at }];

describe('1.3: login', () => {
  it('before the first request: paths of its answer are headers and query of the others', async () => {
    const configuration = withAuthentication(
      login(),
      {
        http: { headers: { 'X-All': 'all' }, defaultOptions: { params: { p: 1 } } },
        pagination: { method: 'pagenum', forceStop: { pages: 2 } },
      },
      { user: 'me' },
    );
    const { asked, requests } = await extract(
      configuration,
      api((at) => ({ auth: { token: `t${at}` }, sid: 7 })),
    );
    expect(asked).toEqual([
      'POST /login {"user":"me"}',
      'GET /users?a=1&p=1&q=x&page=1&sid=7&by=me',
      'GET /users?a=1&p=1&q=x&page=2&sid=7&by=me',
    ]);
    expect(requests[0]?.headers).toMatchObject({ 'x-l': 'l', 'x-all': 'all' });
    expect(requests[0]?.headers['x-token']).toBeUndefined();
    expect(requests[2]?.headers).toMatchObject({ 'x-token': 't0', 'x-all': 'all' });
  });

  it.each<[string, JsonObject, Answer]>([
    ['a text', { format: 'text' }, new Answer(200, 'tok')],
    ['a single value', {}, new Answer(200, '"tok"')],
  ])('%s is `data`', async (_title, more, answer) => {
    const authentication = login({ apiRequest: { headers: { 'X-Token': 'data' } }, ...more });
    const { requests } = await extract(
      withAuthentication(authentication, {}, { user: 'me' }),
      api(() => answer),
    );
    expect(requests[1]?.headers['x-token']).toBe('tok');
  });

  it.each<[string, JsonValue, JsonValue, number]>([
    ['seconds', 30, {}, 2],
    ['a time', { response: 'end' }, { end: 1717200030 }, 2],
    ['a text of a time', { response: 'end' }, { end: '2024-06-01T00:00:30Z' }, 2],
    ['seconds of the answer', { response: 'end', relative: true }, { end: 30 }, 2],
    ['0 is before each request', 0, {}, 3],
    ['none', null, {}, 1],
    ['none where the answer does not say', { response: 'end' }, {}, 1],
  ])('again when it has expired: %s', async (...[, expires, answer, logins]) => {
    const clock = new SleepingClock();
    const authentication = login({ expires, apiRequest: {} });
    const configuration = withAuthentication(
      authentication,
      { pagination: { method: 'pagenum', forceStop: { pages: 3 } } },
      { user: 'me' },
    );
    const { asked } = await extract(
      configuration,
      ({ path }, at) => {
        if (path === '/login') return answer;
        clock.pass(20_000);
        return [{ id: at, end: clock.now() }];
      },
      { clock },
    );
    expect(asked.filter((line) => line.startsWith('POST /login'))).toHaveLength(logins);
  });

  it.each<[JsonValue, string]>([
    [{ end: 5 }, '5'],
    [{ end: '2020-01-01' }, '2020-01-01'],
    [{ end: 'soon' }, 'soon'],
  ])('an end that is over or no time is refused: %j', async (answer, text) => {
    const authentication = login({ expires: { response: 'end' }, apiRequest: {} });
    const { failure } = await extract(
      withAuthentication(authentication, {}, { user: 'me' }),
      api(() => answer),
    );
    expect(failure).toBe(`Login authentication returned expiry time before current time: '${text}'`);
  });

  it('081: what the query has already becomes a list of both, and headers count more than others', async () => {
    const authentication = login({
      apiRequest: {
        query: { apiToken: 'a.token', secretKey: 'a.key', customerId: 'a.id', orderBy: 'a.by' },
        headers: { 'X-Account-Id': 'a.id' },
      },
    });
    const defaultOptions = {
      headers: { 'X-Account-Id': 123, 'X-Mode': 'm' },
      params: { debug: '1', secretKey: '123' },
    };
    const params = { orderBy: 'userName', secretKey: 'none', customerId: '234' };
    const configuration = withAuthentication(
      authentication,
      { http: { defaultOptions } },
      { user: 'me', jobs: [{ endpoint: 'users', params }] },
    );
    const { asked, requests } = await extract(
      configuration,
      api(() => ({ a: { token: 987654, key: 'a1', id: 'abc', by: 'userName' } })),
    );
    expect(decodeURIComponent(asked[1] ?? '')).toBe(
      'GET /users?debug=1&apiToken=987654&secretKey[0]=none&secretKey[1]=a1&customerId[0]=234&customerId[1]=abc&orderBy[0]=userName',
    );
    expect(requests[1]?.headers).toMatchObject({ 'x-account-id': 'abc', 'x-mode': 'm' });
  });

  it.each<[JsonValue, string]>([
    [[1], 'array'],
    [null, 'NULL'],
  ])('an answer that is neither an object nor a single value is refused: %j', async (answer, type) => {
    const text = new Answer(200, JSON.stringify(answer));
    const { failure } = await extract(
      withAuthentication(login(), {}, { user: 'me' }),
      api(() => text),
    );
    expect(failure).toBe(`The response to the login request should be an object or a scalar value, given "${type}".`);
  });

  it('that fails ends the job', async () => {
    const { failure, asked } = await extract(withAuthentication(login(), {}, { user: 'me' }), [new Answer(401, 'who')]);
    expect(failure).toMatch(/^The API request failed: \[401\] Client error: `POST http:\/\/api\/login` resulted in a/);
    expect(asked).toHaveLength(1);
  });

  it('oauth20.login is made of the data of the authorization', async () => {
    const authentication = {
      type: 'oauth20.login',
      loginRequest: {
        endpoint: 'login',
        method: 'FORM',
        params: { id: { consumer: 'client_id' }, secret: { consumer: 'client_secret' }, t: { user: 'access.token' } },
        headers: { 'X-U': { attr: 'user' } },
      },
      apiRequest: {
        headers: { Authorization: { function: 'concat', args: ['Bearer ', { response: 'access_token' }] } },
      },
    };
    const { asked, requests } = await extract(
      withAuthentication(authentication, {}, { user: 'me' }),
      api(() => ({ access_token: 'new' })),
    );
    expect(asked[0]).toBe('POST /login id=key&secret=secret&t=tok');
    expect(requests[0]?.headers['x-u']).toBe('me');
    expect(requests[1]?.headers['authorization']).toBe('Bearer new');
  });
});
