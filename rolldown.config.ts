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

/** Packages stay in `node_modules` (ADR 0045), but for what the compiler's own output imports, and zod: of it a fifth is used (ADR 0067). */
const isPutIn = (id: string): boolean => /^(@oxc-project\/runtime|zod)(\/|$)/.test(id);

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
