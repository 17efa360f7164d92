import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { inspect } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../core/millrace-error.ts';
import { parseConfig, type Environment } from './config.ts';
import { variables } from './env.ts';
import { referencePage } from '../../test/support/configuration-page.ts';
import { Secret } from './secrets.ts';

const read = (environment: Environment) => parseConfig(environment, '/srv');

function problemsOf(environment: Environment): readonly string[] {
  try {
    read(environment);
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'config.invalid')
      return thrown.message.split('\n- ').slice(1);
    throw thrown;
  }
  return [];
}

describe('the configuration', () => {
  it('is complete with nothing set', () => {
    expect(read({ PATH: '/bin', NODE_ENV: 'production' })).toMatchObject({
      dataDir: '/srv/data',
      projectId: 1,
      partitions: 1,
      maxSources: 100,
      logLevel: 'info',
      drainTimeoutMs: 30_000,
      rootToken: undefined,
      corsOrigins: ['*'],
      trustedProxies: [],
      extractor: { allowedHosts: [] },
      jobs: { atOnce: 8, timeoutMs: 3_600_000, diskBytes: 10_737_418_240 },
      admin: { host: '127.0.0.1', port: 8000, publicUrl: undefined },
      ingest: { host: '127.0.0.1', port: 7000, maxBodyBytes: 1024 * 1024, maxHeaderBytes: 16 * 1024 },
      client: { url: undefined, token: undefined },
    });
  });

  it('takes every variable, with units, lists and absolute paths', () => {
    const config = read({
      MILLRACE_DATA_DIR: '/var/lib/millrace',
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_HOST: '::',
      MILLRACE_MAX_BODY_BYTES: '100',
      MILLRACE_REQUEST_TIMEOUT: '1m',
      MILLRACE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      MILLRACE_CORS_ORIGINS: 'https://a.example, https://b.example:8443',
      MILLRACE_PUBLIC_INGEST_URL: 'https://in.example/base/',
      MILLRACE_EXTRACTOR_ALLOWED_HOSTS: 'api.internal:8443, 10.0.0.0/8',
      MILLRACE_URL: 'http://127.0.0.1:8000/',
    });
    expect(config).toMatchObject({
      dataDir: '/var/lib/millrace',
      admin: { port: 0 },
      ingest: { host: '::', maxBodyBytes: 100, requestTimeoutMs: 60_000, publicUrl: 'https://in.example/base' },
      trustedProxies: ['10.0.0.0/8', '::1'],
      corsOrigins: ['https://a.example', 'https://b.example:8443'],
      extractor: {
        allowedHosts: [
          { kind: 'name', name: 'api.internal', port: 8443 },
          { kind: 'network', bits: 8 },
        ],
      },
      client: { url: 'http://127.0.0.1:8000' },
    });
  });

  it('D9: reports all problems at once, each with variable, value and rule', () => {
    const problems = problemsOf({
      MILLRACE_ADMIN_PORT: '80000',
      MILLRACE_MAX_BODY_BYTES: '5MB',
      MILLRACE_REQUEST_TIMEOUT: 'soon',
      MILLRACE_LOG_LEVEL: 'loud',
      MILLRACE_TRUSTED_PROXIES: '10.0.0.0/99',
      MILLRACE_PUBLIC_INGEST_URL: 'ftp://in.example',
      MILLRACE_PROJECT_ID: 'one',
    });
    expect(problems).toHaveLength(7);
    expect(problems).toContain('MILLRACE_ADMIN_PORT="80000": must be a port from 0 to 65535, where 0 picks a free one');
    expect(problems).toContain('MILLRACE_MAX_BODY_BYTES="5MB": must be a size from 100B to 4MB');
  });

  it('D9: refuses a variable it does not know, and says which one was meant', () => {
    expect(problemsOf({ MILLRACE_ADMINPORT: '1', MILLRACE_SOMETHING_ELSE_ENTIRELY: '1' })).toEqual([
      'MILLRACE_ADMINPORT: there is no such variable; did you mean MILLRACE_ADMIN_PORT?',
      'MILLRACE_SOMETHING_ELSE_ENTIRELY: there is no such variable',
    ]);
    expect(problemsOf({ MILLRACE_TEST_KAFKA: 'localhost:9092' })).toEqual([]);
  });

  it('takes an empty variable for an absent one', () => {
    expect(read({ MILLRACE_ADMIN_PORT: '', MILLRACE_ROOT_TOKEN: ' ' })).toMatchObject({
      admin: { port: 8000 },
      rootToken: undefined,
    });
  });

  it('gives the commands the root token when no other is set', () => {
    expect(read({ MILLRACE_ROOT_TOKEN: 'r' }).client.token?.reveal()).toBe('r');
    expect(read({ MILLRACE_ROOT_TOKEN: 'r', MILLRACE_TOKEN: 't' }).client.token?.reveal()).toBe('t');
  });
});

describe('a secret', () => {
  it('shows itself only when it is asked', () => {
    const config = read({ MILLRACE_ROOT_TOKEN: 'open-sesame' });
    const printed = [JSON.stringify(config), inspect(config, { depth: 9, showHidden: true }), String(config.rootToken)];
    expect(printed.join(' ')).not.toContain('sesame');
    expect(String(new Secret('x'))).toBe('[redacted]');
    expect(config.rootToken?.reveal()).toBe('open-sesame');
  });

  it('is not longer than what the API looks at', () => {
    expect(read({ MILLRACE_ROOT_TOKEN: 'x'.repeat(500) }).rootToken).toBeDefined();
    expect(problemsOf({ MILLRACE_ROOT_TOKEN: 'x'.repeat(501) })).toHaveLength(1);
  });

  it('is not in the message about its own mistake', () => {
    expect(problemsOf({ MILLRACE_TOKEN: 'open sesame' })).toEqual([
      'MILLRACE_TOKEN: must be a token of at most 500 visible ASCII characters without blanks',
    ]);
    expect(problemsOf({ MILLRACE_URL: 'http://ann:open-sesame@host/' })).toEqual([
      'MILLRACE_URL="http://[redacted]@host/": must be a URL that begins with http:// or https://, without user, password or query',
    ]);
  });
});

describe('the reference page', () => {
  it('is docs/spec/configuration.md', async () => {
    const file = new URL('../../docs/spec/configuration.md', import.meta.url).pathname;
    const page = await format(referencePage(), { ...(await resolveConfig(file)), parser: 'markdown' });
    await expect(page).toMatchFileSnapshot(file);
  });

  it('misses nothing: only this room reads the environment', async () => {
    const root = new URL('../', import.meta.url).pathname;
    const readers: string[] = [];
    for (const file of globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
      const text = await readFile(`${root}${file}`, 'utf8');
      if (/process\.env|NODE_ENV/.test(text) && !file.startsWith('config/')) readers.push(file);
    }
    expect(readers).toEqual([]);
    expect(Object.keys(variables).every((name) => /^MILLRACE_[A-Z_]+$/.test(name))).toBe(true);
  });
});
