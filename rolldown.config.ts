import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type InputOptions, type OutputOptions, type Plugin } from 'rolldown';

/** The modules that Node is started with, a process or a thread each. */
export const product = {
  main: 'src/main.ts',
  'thread-entry': 'src/runtime/composition/thread-entry.ts',
  'backup-entry': 'src/runtime/backup/backup-entry.ts',
  'trial-entry': 'src/runtime/trials/trial-entry.ts',
  'watchdog-entry': 'src/runtime/composition/watchdog-entry.ts',
} as const;

/**
 * Packages of many files that every start reads, with what only they need. Each is a file of its own (ADR 0071); the others stay in
 * `node_modules`: native ones, those with workers or assets of their own, and those that a start reads few files of.
 */
const putIn = ['zod', 'yaml', 'prom-client', 'tdigest', 'bintrees', '@opentelemetry/api', 'uuid', '@duckdb/node-api'];

/** What the compiler's own output imports is put in, too. */
const isPutIn = (id: string): boolean =>
  putIn.some((name) => id === name || id.startsWith(`${name}/`)) || id.startsWith('@oxc-project/runtime/');

/** The name of the package that a module belongs to, undefined for one of ours. */
export function packageOf(moduleId: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}

/** All modules of a package in one file. */
function fileOfPackage(moduleId: string): string | null {
  const name = packageOf(moduleId);
  return name === undefined || !putIn.includes(name) ? null : `package-${name.replace('@', '').replace('/', '-')}`;
}

export const settings = {
  platform: 'node',
  external: (id) => /^[^./\0]/.test(id) && !isPutIn(id),
  // The oldest Node that `engines` of package.json names: what it has no syntax for is written out.
  transform: { target: 'node22.19' },
} as const satisfies InputOptions;

/** All files in one folder: the entry of a thread is looked for beside the module that starts it. */
export const output = {
  dir: 'dist',
  format: 'esm',
  keepNames: true,
  sourcemap: true,
  // Each thread holds the text of what it has loaded, two bytes a character when one of them is beyond Latin-1.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: { groups: [{ name: fileOfPackage }] },
} as const satisfies OutputOptions;

const { stampBuild } = createRequire(import.meta.url)('./bin/built.cjs') as {
  readonly stampBuild: (root: string) => Plugin;
};

/** `npm run build`: some 50 files in place of 700, which Node reads in half the processor time. */
export default defineConfig({
  ...settings,
  plugins: [stampBuild(fileURLToPath(new URL('.', import.meta.url)))],
  input: product,
  output: { ...output, cleanDir: true },
});
