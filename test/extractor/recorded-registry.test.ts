import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/extractor/values/json-value.ts';
import { Answer, configurationOf, extract, type Asked } from '../support/extraction.ts';

interface Package {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly maintainers: readonly { readonly name: string; readonly email: string }[];
  readonly time: Readonly<Record<string, string>>;
}

/** The text of what the registry of npm has answered for a package. */
function recorded(name: string): string {
  return readFileSync(new URL(`registry/${name}.json`, import.meta.url), 'utf8');
}

function parsed(name: string): Package {
  return JSON.parse(recorded(name)) as Package;
}

function replay({ path }: Asked): Answer | JsonValue | undefined {
  if (path === '/packages') return ['underscore', 'minimist', 'mkdirp'].map((id) => ({ id }));
  return new Answer(200, recorded(path.slice(1)));
}

function run(jobs: readonly JsonObject[], config: JsonObject = {}) {
  return extract(configurationOf({}, { ...config, jobs }), replay);
}

describe('recorded answers of the registry of npm become tables', () => {
  it('a package as one row, by a mapping, with its maintainers in a table of their own', async () => {
    const mappings = {
      packages: {
        name: { mapping: { destination: 'name', primaryKey: true } },
        'dist-tags.latest': 'latest',
        versions: { forceType: true, mapping: { destination: 'versions' } },
        maintainers: {
          type: 'table',
          destination: 'maintainers',
          parentKey: { destination: 'package' },
          tableMapping: { name: 'name', email: 'email' },
        },
      },
    };
    const job = { endpoint: 'underscore', dataType: 'packages', dataField: '.' };
    const { failure, tables } = await run([job], { mappings });
    expect(failure).toBeUndefined();
    const { name, 'dist-tags': tags, maintainers } = parsed('underscore');
    const [columns, row, ...others] = tables['packages'] ?? [];
    expect([columns, others]).toEqual([['name', 'latest', 'versions'], []]);
    expect(row?.slice(0, 2)).toEqual([name, tags['latest']]);
    // All of what the mapping keeps as text is there, as it came.
    expect(JSON.parse(row?.[2] ?? '')).toEqual((JSON.parse(recorded('underscore')) as { versions: unknown }).versions);
    expect(tables['maintainers']).toEqual([
      ['name', 'email', 'package'],
      ...maintainers.map((one) => [one.name, one.email, name]),
    ]);
  });

  it('its maintainers, for each package that another answer names', async () => {
    const child = {
      endpoint: '{package}',
      dataType: 'maintainers',
      dataField: 'maintainers',
      placeholders: { package: 'id' },
    };
    const { failure, asked, tables } = await run([{ endpoint: 'packages', children: [child] }]);
    expect(failure).toBeUndefined();
    const names = ['underscore', 'minimist', 'mkdirp'];
    expect(asked).toEqual(['packages', ...names].map((path) => `GET /${path}`));
    const rows = names.flatMap((name) => parsed(name).maintainers.map((one) => [one.name, one.email, name]));
    expect(tables['maintainers']).toEqual([['name', 'email', 'parent_id'], ...rows]);
  });

  it('its times: keys with points are columns, in the order in which they come', async () => {
    const { failure, tables } = await run([{ endpoint: 'underscore', dataType: 'times', dataField: 'time' }]);
    expect(failure).toBeUndefined();
    const { time } = parsed('underscore');
    const columns = Object.keys(time).map((version) => version.replaceAll('.', '_'));
    expect(tables['times']).toEqual([columns, Object.values(time)]);
  });
});
