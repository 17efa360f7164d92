import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputChunk } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { output, packageOf, product, settings } from '../../rolldown.config.ts';

/** Node begins with these, a process or a thread each; the watchdog has nothing of the product. */
const { 'watchdog-entry': _, ...entries } = product;

it.each(Object.values(entries))('%s gives an older Node what it does not have before the rest is loaded', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const provided = text.indexOf('\nprovideDisposableStack();');
  expect(provided).toBeGreaterThan(0);
  expect(text.indexOf('await import(')).toBeGreaterThan(provided);
});

it('L2: whoever starts a thread while the process runs asks before whether its files are those that the process began with', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const starting = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .map((file) => ({ file, text: readFileSync(`${root}${file}`, 'utf8') }))
    .filter(({ text }) => text.includes('new Worker('));
  // The watchdog begins with the process.
  const others = starting.filter(({ file }) => file !== 'runtime/composition/watchdog.ts');
  expect(others.length).toBeGreaterThan(2);
  // Noted as the module is loaded, and asked before each start.
  const asksNot = others.filter(
    ({ text }) => !/\n(export )?const \w+ = noteBuild\(new URL\([^]*requireSameBuild\([^]*new Worker\(/.test(text),
  );
  expect(asksNot.map(({ file }) => file)).toEqual([]);
});

describe('what is built', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  let chunks: readonly OutputChunk[] = [];
  beforeAll(async () => {
    await using bundle = await rolldown({ ...settings, cwd: root, input: product, logLevel: 'silent' });
    const built = await bundle.generate(output);
    chunks = built.output.filter((file) => file.type === 'chunk');
  });

  /** What Node loads with modules of the product: modules by their paths, and packages. */
  function loaded(modules: readonly string[]): ReadonlySet<string> {
    const begun = chunks.filter(({ facadeModuleId }) =>
      modules.some((module) => facadeModuleId === `${root}${module}`),
    );
    expect(begun).toHaveLength(modules.length);
    const files = new Set(begun.map(({ fileName }) => fileName));
    for (const file of files) for (const next of chunkOf(file)?.imports ?? []) files.add(next);
    const nameOf = (id: string): string => packageOf(id) ?? id.replace(root, '');
    return new Set([...files].flatMap((file) => chunkOf(file)?.moduleIds.map(nameOf) ?? [file]));
  }

  const chunkOf = (file: string): OutputChunk | undefined => chunks.find(({ fileName }) => fileName === file);

  const composition = 'src/runtime/composition';
  const ofAll = [`${composition}/thread.ts`, 'src/runtime/embedded/embedded-ports.ts'];
  const api = /^(src\/(api|cli|control|config\/topology)\/|express$|commander$|@duckdb\/)/;
  const mapping = /^(src\/jsonnet\/|src\/stages\/map\/|yaml$|uuid$|@remix-run\/)/;
  const taking = /^(src\/stages\/ingest\/|@grpc\/)/;

  it.each([
    { role: 'ingest', modules: ['open-ingest.ts'], not: [api, mapping, /^src\/stages\/stage\//] },
    { role: 'map', modules: ['open-map.ts'], not: [api, taking, /^src\/stages\/stage\//] },
    { role: 'stage', modules: ['open-stage.ts'], not: [api, mapping, taking] },
  ])('has nothing of other roles in a thread of the role $role', ({ modules, not }) => {
    const all = [...loaded([...ofAll, ...modules.map((module) => `${composition}/${module}`)])];
    expect(all).toContain('src/adapters/lmdb/event-log.ts');
    expect(all.filter((one) => not.some((pattern) => pattern.test(one)))).toEqual([]);
  });

  it('is plain ASCII: a text with one other character takes twice the memory in each thread that loads it', () => {
    expect(chunks.filter(({ code }) => !/^[\0-\x7f]*$/.test(code)).map(({ fileName }) => fileName)).toEqual([]);
  });

  it('has each package that is put in as a file of its own', () => {
    const putIn = ['zod', 'yaml', 'prom-client', '@opentelemetry/api', 'uuid', '@duckdb/node-api'];
    const filesWith = (name: string) =>
      chunks.filter(({ moduleIds }) => moduleIds.some((id) => packageOf(id) === name));
    for (const name of putIn) {
      const [file, ...others] = filesWith(name);
      expect(others, name).toEqual([]);
      expect(
        file?.moduleIds.filter((id) => id.startsWith(`${root}src/`)),
        name,
      ).toEqual([]);
    }
  });

  it('asks for no package that is no dependency of ours: whose else it is need not be where Node looks for it', () => {
    const asked = chunks.flatMap(({ code, imports, dynamicImports }) => [
      ...[...imports, ...dynamicImports].filter((id) => chunkOf(id) === undefined),
      ...[...code.matchAll(/require\("([^"]+)"\)/g)].map(([, id = '']) => id),
    ]);
    const names = asked.filter((id) => !isBuiltin(id)).map((id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
    expect(names).toContain('@duckdb/node-bindings');
    expect(names).toContain('lmdb');
    expect(
      [...new Set(names)].filter((name) => name === undefined || !Object.hasOwn(packageJson.dependencies, name)),
    ).toEqual([]);
  });

  it('has of zod what is used, and nothing of its words in other languages', () => {
    const ids = chunks.flatMap(({ moduleIds }) => moduleIds);
    expect(ids.some((id) => id.includes('/node_modules/zod/v4/'))).toBe(true);
    expect(ids.filter((id) => /\/zod\/v4\/locales\/(?!en\.js$)/.test(id))).toEqual([]);
    expect(chunks.flatMap(({ imports }) => imports).filter((name) => /^zod($|\/)/.test(name))).toEqual([]);
  });
});
