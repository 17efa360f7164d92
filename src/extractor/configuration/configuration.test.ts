import { describe, expect, it } from 'vitest';
import { Answer, configurationOf, extract } from '../../../test/support/extraction.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonObject, JsonValue } from '../values/json-value.ts';

const users = [{ endpoint: 'users' }];
const job = (more: JsonObject): JsonObject => configurationOf({}, { jobs: [{ endpoint: 'users', ...more }] });
const api = (more: JsonObject, config: JsonObject = {}): JsonObject =>
  configurationOf(more, { jobs: users, ...config });
const credentials = (more: JsonObject = {}): JsonObject => ({
  oauth_api: { credentials: { '#data': '{"t":1}', appKey: 'k', '#appSecret': 's', ...more } },
});
const withAuthentication = (authentication: JsonObject, authorization: JsonObject = {}): JsonObject => ({
  ...api({ authentication }),
  authorization,
});
const login = (more: JsonObject): JsonObject =>
  withAuthentication({ type: 'login', loginRequest: { endpoint: 'login' }, ...more });

describe('1.1: what is wrong with a configuration is told before anything is asked for', () => {
  it.each<[string, JsonValue, string]>([
    ['no object', 'x', "The 'config' section is required in the configuration."],
    ['no parameters', {}, "The 'config' section is required in the configuration."],
    ['an empty config', { parameters: { config: {} } }, "The 'config' section is required in the configuration."],
    ['no jobs', configurationOf({}, {}), "The 'jobs' section is required in the configuration."],
    ['empty jobs', configurationOf({}, { jobs: [] }), "The 'jobs' section is required in the configuration."],
    ['no api', { parameters: { config: { jobs: users } } }, "The 'api' section is required in configuration."],
    ['no base address', api({ baseUrl: null }), "The 'baseUrl' attribute must be set in API configuration"],
    [
      'a base that is no address',
      api({ baseUrl: 'here' }),
      "The 'baseUrl' attribute in API configuration is not a valid URL",
    ],
    [
      'a base of a file',
      api({ baseUrl: 'file:///etc/' }),
      "The 'baseUrl' attribute in API configuration is not a valid URL",
    ],
    [
      'a base that is made wrong',
      api({ baseUrl: { function: 'concat', args: ['a', { attr: 'b' }] } }, { b: 'c' }),
      'The "baseUrl" attribute in API configuration resulted in an invalid URL (ac)',
    ],
    ['no endpoint', job({ endpoint: '' }), "The 'endpoint' property must be set in job."],
    [
      'an endpoint that is no text',
      job({ endpoint: ['a'] }),
      'The "endpoint" property must be specified in request as a string.',
    ],
    [
      'an endpoint without a name for its table',
      job({ endpoint: '/?' }),
      `The table of the endpoint "/?" has no name. Give the job a 'dataType'.`,
    ],
    ['params that are none', job({ params: 'a' }), "The 'params' property must be an array."],
    ['headers that are none', job({ headers: 'a' }), 'The "headers" property must be an array.'],
    ['an unknown method', job({ method: 'PUT' }), 'The "method" property must be on of "GET", "POST", "FORM".'],
    [
      'an unknown method of all jobs',
      api({ http: { defaultOptions: { method: 'PUT' } } }),
      'The "method" property must be on of "GET", "POST", "FORM".',
    ],
    ['a job that is none', configurationOf({}, { jobs: ['a'] }), 'Job configuration must be an array: a'],
    ['children that are none', job({ children: 'a' }), "The 'children' property must an array of jobs."],
    [
      'a child without an endpoint',
      job({ children: [{ placeholders: {} }] }),
      "The 'endpoint' property must be set in job.",
    ],
    ['a path without a path', job({ dataField: { delimiter: '/' } }), "'dataField.path' must be set!"],
    ['a filter that is none', job({ responseFilter: [1] }), "'responseFilter' must be a path or a list of paths."],
    [
      'a filter of more paths than there may be',
      job({ responseFilter: Array.from({ length: 1001 }, (_, at) => `a${at}`) }),
      "'responseFilter' has more than 1000 paths.",
    ],
    [
      'a filter of items that is none',
      job({ children: [{ endpoint: 'a', recursionFilter: 'id=2' }] }),
      "Error creating a filter from id=2: Operator couldn't be determined. Please use one of [==, !=, >=, <=, >, <, ~~, !~]",
    ],
    [
      'a header that is missing',
      api({ http: { requiredHeaders: ['X-A', 'X-B'] } }, { http: { headers: { 'X-A': '1' } } }),
      "Missing required header X-B in 'config.http.headers'.",
    ],
    ['an unknown pagination', api({ pagination: { method: 'offsets' } }), "Unknown pagination method 'offsets'"],
    [
      'an unknown scroller of a job',
      configurationOf(
        { pagination: { method: 'multiple', scrollers: { o: { method: 'offset', limit: 2 } } } },
        { jobs: [{ endpoint: 'users', scroller: 'zz' }] },
      ),
      "Scroller 'zz' not set in API definitions. Scrollers defined: o",
    ],
    [
      'retries that are none',
      api({ retryConfig: { maxRetries: 'x' } }),
      "'retryConfig.maxRetries' must be a number of 0 or more. Value 'x'.",
    ],
    [
      'statuses that are none',
      api({ http: { ignoreErrors: ['x'] } }),
      "'http.ignoreErrors' must be a list of status codes.",
    ],
    ['a certificate that is no text', api({ caCertificate: 5 }), "The 'caCertificate' must be string."],
    [
      'a certificate of the client that is no text',
      api({ '#clientCertificate': {} }),
      "The 'clientCertificate' must be string.",
    ],
    [
      'a bucket outside its folder',
      api({}, { outputBucket: '../x' }),
      `"../x" cannot be in the name of a bucket: it has a slash or a control character. Set 'config.outputBucket'.`,
    ],
    [
      'an iteration that is none',
      { ...api({}), parameters: { ...(api({})['parameters'] as JsonObject), iterations: ['a'] } },
      "Each of the 'iterations' must be an object. Value 'a'.",
    ],
    [
      'an unknown function',
      job({ params: { a: { function: 'exec' } } }),
      "User script error: Illegal function 'exec'!",
    ],
    [
      'an unknown function of a later job',
      configurationOf({}, { jobs: [...users, { endpoint: 'a', params: { a: { function: 'exec' } } }] }),
      "User script error: Illegal function 'exec'!",
    ],
    [
      'an unknown function of a child',
      job({ children: [{ endpoint: 'a', userData: { a: { function: 'exec' } } }] }),
      "User script error: Illegal function 'exec'!",
    ],
    [
      'an attribute that is not there',
      job({ params: { a: { attr: 'nope' } } }),
      "User script error: Error evaluating user function - attr 'nope' not found!",
    ],
    [
      'an attribute of a header that is not there',
      api({ http: { headers: { a: { attr: 'nope' } } } }),
      "User script error: Error evaluating user function - attr 'nope' not found!",
    ],
    [
      'a mapping without a destination',
      api({}, { mappings: { users: { id: { mapping: {} } } } }),
      "Key 'mapping.destination' is not set for column 'id'.",
    ],
    ['another action', { ...api({}), action: 'test' }, "The action 'test' is not offered, 'run' is the only one."],
  ])('%s', async (_title, configuration, text) => {
    const { asked, error, failure } = await extract(configuration, () => []);
    expect(failure).toBe(text);
    expect(error).toBeInstanceOf(ExtractorError);
    expect(asked).toEqual([]);
  });

  it('E11: what is not offered is refused by its name', async () => {
    const refused: readonly (readonly [JsonObject, RegExp])[] = [
      [configurationOf({}, { jobs: users }, { sshProxy: { host: 'h' } }), /SSH tunnels/],
      [configurationOf({}, { jobs: users }, { aws: { signature: { credentials: { accessKeyId: 'a' } } } }), /AWS/],
      [withAuthentication({ type: 'oauth10' }), /oauth10/],
      [api({}, { compatLevel: 1 }), /legacy parser/],
    ];
    for (const [configuration, text] of refused) {
      const { asked, failure } = await extract(configuration, () => []);
      expect(failure).toMatch(text);
      expect(asked).toEqual([]);
    }
  });

  it('an unknown key is ignored, also the flat name of a method', async () => {
    const { asked, failure } = await extract(api({ 'pagination.method': 'offset', z: 1 }, { z: 1 }), () => []);
    expect([asked, failure]).toEqual([['GET /users'], undefined]);
  });
});

describe('1.3: what is wrong with an authentication is told before anything is asked for', () => {
  it.each<[string, JsonObject, string]>([
    ['an unknown type', withAuthentication({ type: 'x' }), "Unknown authorization type 'x'."],
    [
      'basic without a user',
      withAuthentication({ type: 'basic' }),
      "Missing the required '#username' (or 'username') attribute in config.",
    ],
    [
      'basic without a password',
      api({ authentication: { type: 'basic' } }, { username: 'u' }),
      "Missing the required '#password' attribute in config.",
    ],
    [
      'query without a query',
      withAuthentication({ type: 'query' }),
      "The query authentication method requires 'query' configuration in 'authentication' section.",
    ],
    [
      'login without a request',
      withAuthentication({ type: 'login' }),
      "'loginRequest' is not configured for Login authentication",
    ],
    [
      'login without an endpoint',
      withAuthentication({ type: 'login', loginRequest: { method: 'GET' } }),
      'Request endpoint must be set for the Login authentication method.',
    ],
    ['a format of login', login({ format: 'xml' }), "'format' must be either 'json' or 'text'."],
    [
      'an end of login',
      login({ expires: 'soon' }),
      "The 'expires' attribute must be either an integer or an array with 'response' key containing a path in the response",
    ],
    [
      'a function of login',
      login({ loginRequest: { endpoint: 'login', params: { a: { attr: 'nope' } } } }),
      "User script error: Error evaluating user function - attr 'nope' not found!",
    ],
    [
      'oauth20 without credentials',
      withAuthentication({ type: 'oauth20' }),
      'OAuth API credentials not supplied in configuration.',
    ],
    ...['#data', 'appKey', '#appSecret'].map((name): [string, JsonObject, string] => [
      `oauth20 without ${name}`,
      withAuthentication({ type: 'oauth20' }, credentials({ [name]: '' })),
      `Missing '${name}' for OAuth 2.0 authorization.`,
    ]),
    [
      'a format of oauth20',
      withAuthentication({ type: 'oauth20', format: 'xml' }, credentials()),
      "Unknown OAuth data format 'xml'.",
    ],
    [
      'data of oauth20 that are no JSON',
      withAuthentication({ type: 'oauth20', format: 'json' }, credentials({ '#data': '{' })),
      'The OAuth data is not a valid JSON',
    ],
    [
      'oauth20.login without a request',
      withAuthentication({ type: 'oauth20.login' }, credentials()),
      "'loginRequest' is not configured for Login authentication",
    ],
    [
      'data of oauth20.login that are no JSON',
      withAuthentication({ type: 'oauth20.login', loginRequest: { endpoint: 'a' } }, credentials({ '#data': 'x' })),
      'The OAuth data is not a valid JSON',
    ],
  ])('%s', async (_title, configuration, text) => {
    const { asked, failure } = await extract(configuration, () => []);
    expect(failure).toBe(text);
    expect(asked).toEqual([]);
  });
});

describe('1.1: addresses and headers', () => {
  it.each<[string, string, string]>([
    ['http://api/v1/', 'users', '/v1/users'],
    ['http://api/v1', 'users', '/users'],
    ['http://api/v1/', '/users', '/users'],
    ['http://api/v1/', '../users?a=1', '/users?a=1'],
    ['http://other.invalid/', 'http://api/x', '/x'],
  ])('%s with %s is %s', async (baseUrl, endpoint, path) => {
    const { asked } = await extract(configurationOf({ baseUrl }, { jobs: [{ endpoint }] }), () => []);
    expect(asked).toEqual([`GET ${path}`]);
  });

  it('the base address may be a function of attributes, also as a JSON text', async () => {
    const made = { function: 'concat', args: ['http://api/', { attr: 'a.b' }, '/'] };
    for (const baseUrl of [made, JSON.stringify(made)]) {
      const { asked, log } = await extract(api({ baseUrl }, { a: { b: 'c' } }), () => []);
      expect(asked).toEqual(['GET /c/users']);
      expect(log.some((line) => line.includes('deprecated'))).toBe(typeof baseUrl === 'string');
    }
  });

  it('headers of a job count before those of the config, and those before those of the API', async () => {
    const headers = { 'X-A': 'api', 'X-B': 'api', 'X-C': { attr: 'c' }, 'X-D': 'api' };
    const configuration = configurationOf(
      { http: { headers, requiredHeaders: ['x-b'], defaultOptions: { headers: { 'X-D': 'default' } } } },
      { jobs: [{ endpoint: 'users', headers: { 'x-a': 'job' } }], http: { headers: { 'x-b': 'config' } }, c: 'attr' },
    );
    const { requests } = await extract(configuration, () => []);
    expect(requests[0]?.headers).toMatchObject({ 'x-a': 'job', 'x-b': 'config', 'x-c': 'attr', 'x-d': 'default' });
  });

  it('what stands under all requests is merged with their own, and a limit in it is no limit of pages', async () => {
    const configuration = configurationOf(
      {
        http: { defaultOptions: { params: { limit: 9, f: { a: 1, b: 1 } } } },
        pagination: { method: 'offset', limit: 1, firstPageParams: false },
      },
      { jobs: [{ endpoint: 'users', params: { f: { b: 2 } } }] },
    );
    const { asked } = await extract(configuration, [[{ a: 1 }], []]);
    expect(asked.map((line) => decodeURIComponent(line))).toEqual([
      'GET /users?limit=9&f[a]=1&f[b]=2',
      'GET /users?limit=1&f[a]=1&f[b]=2&offset=1',
    ]);
  });

  it('1.1: only the hosts of the image are asked, also where an answer leads elsewhere', async () => {
    const hosts = (...allowed_hosts: JsonObject[]): JsonObject => ({ image_parameters: { allowed_hosts } });
    const to = (host: JsonObject, more: JsonObject = {}) =>
      extract({ ...api({ pagination: { method: 'response.url' }, ...more }), ...hosts(host) }, [
        { a: [1], next_page: 'http://elsewhere.invalid/x' },
      ]);
    const first = await to({ host: 'api.example.com' });
    expect([first.failure, first.asked]).toEqual(['URL "http://api/users" is not in the allowed hosts whitelist.', []]);
    const later = await to({ host: 'http://api/' });
    expect([later.failure, later.asked]).toEqual([
      'URL "http://elsewhere.invalid/x" is not in the allowed hosts whitelist.',
      ['GET /users'],
    ]);
    const named = { host: '127.0.0.1', scheme: 'http' };
    expect((await to(named)).asked).toEqual(['GET /users']);
    expect((await to({ ...named, port: 1 })).asked).toEqual([]);
    expect((await to({ ...named, scheme: 'https' })).asked).toEqual([]);
    expect((await to({ ...named, endpoint: '/users' })).asked).toEqual(['GET /users']);
    const path = await to({ host: 'http://api/', endpoint: 'v1' }, { baseUrl: 'http://api/v12/' });
    expect(path.failure).toBe('URL "http://api/v12/users" is not in the allowed hosts whitelist.');
  });

  it('1.1: a header that cannot be sent is refused, its value not shown', async () => {
    const failureOf = async (headers: JsonObject) => (await extract(api({ http: { headers } }), [])).failure;
    expect(await failureOf({ 'X-A': 'secret\nX-B: 1' })).toBe(
      'The value of the header "X-A" has a character that no header may have.',
    );
    expect(await failureOf({ 'X-A': { time: 'currentStart' } })).toBe(
      'Invalid configuration: invalid type "object" in headers at path: X-A',
    );
    expect(await failureOf({ 'X A': '1' })).toBe('"X A" cannot be the name of a header.');
  });

  it('1.1: headers that say how a connection carries a request are left to the client', async () => {
    const headers = { 'Content-Length': '7', 'Transfer-Encoding': 'chunked', 'X-A': ' a ', Gone: null };
    const { requests, failure } = await extract(api({ http: { headers } }), () => []);
    expect([failure, requests[0]?.headers['x-a']]).toEqual([undefined, 'a']);
    expect(requests[0]?.headers).not.toHaveProperty('content-length');
    expect(requests[0]?.headers).not.toHaveProperty('gone');
  });

  it('the password of a URL is in no message', async () => {
    const to = { baseUrl: 'http://me:secret@127.0.0.1:1/' };
    const refused = await extract({ ...api(to), image_parameters: { allowed_hosts: [{ host: 'a.example' }] } }, []);
    expect(refused.failure).toBe('URL "http://127.0.0.1:1/users" is not in the allowed hosts whitelist.');
  });

  it('a configuration is not nested without an end', async () => {
    let children: JsonValue = [];
    for (let level = 0; level < 200; level += 1) children = [{ endpoint: 'a', children }];
    const { failure } = await extract(job({ children }), []);
    expect(failure).toBe('The configuration has more than 300 levels of nesting.');
  });

  it('1.1: what the configuration says of its connections opens them', async () => {
    const told: unknown[] = [];
    const configuration = api({
      caCertificate: 'CA',
      '#clientCertificate': 'CLIENT',
      http: { connectTimeout: 1.5, requestTimeout: '20' },
    });
    const openHttp = (settings: unknown): never => {
      told.push(settings);
      throw new Error('enough');
    };
    await extract(configuration, [], { openHttp });
    expect(told).toEqual([
      { connectTimeoutMs: 1500, requestTimeoutMs: 20_000, authorities: 'CA', clientCertificate: 'CLIENT' },
    ]);
  });
});

describe('1.1: iterations, user data, output', () => {
  const run = (config: JsonObject, iterations: readonly JsonObject[], more: JsonObject = {}) =>
    extract(configurationOf({ name: 'nm', ...more }, config, { iterations }), ({ path }) => [{ path }]);

  it('each iteration replaces keys of the config, and all write the same tables', async () => {
    const jobs = [{ endpoint: 'users', params: { q: { attr: 'q' } }, userData: { who: { attr: 'q' } } }];
    const { asked, tables, extraction } = await run({ jobs, outputBucket: 'b' }, [
      { q: 'a' },
      { q: 'b', incrementalOutput: true },
    ]);
    expect(asked).toEqual(['GET /users?q=a', 'GET /users?q=b']);
    expect(tables).toEqual({
      'b.users': [
        ['path', 'who'],
        ['/users?q=a', 'a'],
        ['/users?q=b', 'b'],
      ],
    });
    expect(extraction?.tables[0]?.manifest).toEqual({ destination: 'in.c-b.users', incremental: true });
  });

  it('iterations with other buckets write other tables', async () => {
    const { tables } = await run({ jobs: users }, [{ outputBucket: 'a' }, { outputBucket: 'b' }]);
    expect(Object.keys(tables)).toEqual(['a.users', 'b.users']);
  });

  it.each<[string, JsonObject, string, JsonObject]>([
    ['a bucket', { outputBucket: 'b', id: 'main' }, 'b.users', { destination: 'in.c-b.users', incremental: false }],
    ['an id', { id: 'main' }, 'ex-api-nm-main.users', { destination: 'in.c-ex-api-nm-main.users', incremental: false }],
    ['neither', {}, 'users', { incremental: false }],
    [
      'a bucket and a name that is in none',
      { outputBucket: 'b', id: 'a/b' },
      'b.users',
      { destination: 'in.c-b.users', incremental: false },
    ],
  ])('1.10: with %s', async (...[, config, name, manifest]) => {
    const { extraction } = await run({ jobs: users, ...config }, []);
    expect(extraction?.tables.map(({ fileName }) => fileName)).toEqual([name]);
    expect(extraction?.tables[0]?.manifest).toEqual(manifest);
  });

  it('1.2: two definitions that are the same run once, with ids of their own twice', async () => {
    const twice = { endpoint: 'users', params: { a: 1 } };
    expect((await run({ jobs: [twice, { ...twice }] }, [])).asked).toHaveLength(1);
    expect(
      (
        await run(
          {
            jobs: [
              { ...twice, id: 'a' },
              { ...twice, id: 'b' },
            ],
          },
          [],
        )
      ).asked,
    ).toHaveLength(2);
  });

  it('user data are columns behind those of the rows: of the config, then of the job', async () => {
    const jobs = [
      { endpoint: 'users', userData: { b: { time: 'currentStart' } } },
      { endpoint: 'orders', userData: 'x' },
    ];
    const both = await run({ jobs, userData: { a: { function: 'sha1', args: ['a'] }, n: 1 } }, []);
    expect(both.tables['users']).toEqual([
      ['path', 'a', 'n', 'b'],
      ['/users', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8', '1', '1717200000'],
    ]);
    expect(both.tables['orders']?.[0]).toEqual(['path', 'a', 'n', 'job_parent_id']);
    const one = await run({ jobs: users, userData: 'x' }, []);
    expect(one.tables['users']).toEqual([
      ['path', 'userData'],
      ['/users', 'x'],
    ]);
  });

  it('1.2: the time of the last run is 0 at first, and the state tells it to the next one', async () => {
    const jobs = [{ endpoint: 'users', params: { since: { time: 'previousStart' }, now: { time: 'currentStart' } } }];
    const first = await run({ jobs }, []);
    expect(first.asked).toEqual(['GET /users?since=0&now=1717200000']);
    expect(first.extraction?.state).toEqual({ time: { previousStart: 1717200000 } });
    const state = { time: { previousStart: 5 }, 'json_parser.structVersion': 3 };
    const next = await extract(configurationOf({}, { jobs }), () => [], { state });
    expect(next.asked).toEqual(['GET /users?since=5&now=1717200000']);
    expect(next.extraction?.state).toEqual({ ...state, time: { previousStart: 1717200000 } });
  });

  it('without config.debug nothing is told that is for debugging', async () => {
    const { log } = await run({ jobs: users, debug: false }, []);
    expect(log).toEqual(['info: Extractor finished successfully.']);
  });

  it('compatLevel 2 leaves scalars as they are where the filter names them', async () => {
    const jobs = [{ endpoint: 'users', responseFilter: ['path', 'b'] }];
    const of = async (compatLevel: number) => (await run({ jobs, compatLevel }, [])).tables['users']?.[1];
    expect(await of(2)).toEqual(['/users']);
    expect(await of(3)).toEqual([String.raw`"\/users"`]);
  });

  it('1.12: a mapped table has its header also without rows, others are not made', async () => {
    const mappings = { users: { id: { mapping: { destination: 'key', primaryKey: true } } } };
    const config = { jobs: [...users, { endpoint: 'orders' }], mappings };
    const { tables, extraction } = await extract(configurationOf({}, config), () => []);
    expect(tables).toEqual({ users: [['key']] });
    expect(extraction?.tables[0]).toMatchObject({ primaryKey: ['key'], count: 0, manifest: { primary_key: ['key'] } });
  });

  it('1.4: nothing is stored when a job fails', async () => {
    const jobs = [...users, { endpoint: 'orders' }];
    const { extraction } = await extract(configurationOf({}, { jobs }), [[{ a: 1 }], new Answer(400)]);
    expect(extraction).toBeUndefined();
  });
});
