import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ts } from '@ts-morph/common';

/** Modules of `src` without tests, by their paths, with what each imports: types and what is loaded later, too. */
export class ImportGraph {
  readonly #imports = new Map<string, readonly string[]>();

  constructor(root: string) {
    for (const path of globSync('src/**/*.ts', { cwd: root })) {
      if (path.endsWith('.test.ts')) continue;
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'), true, true);
      this.#imports.set(
        path,
        importedFiles.map(({ fileName }) =>
          fileName.startsWith('.') ? normalize(join(dirname(path), fileName)) : fileName,
        ),
      );
    }
  }

  get modules(): readonly string[] {
    return [...this.#imports.keys()];
  }

  /** Paths of modules, names of packages and `node:` modules. */
  of(module: string): readonly string[] {
    return this.#imports.get(module) ?? [];
  }

  /** A way from a module back to itself, as far as `within` holds for each on the way; undefined when there is none. */
  circle(within: (module: string) => boolean): readonly string[] | undefined {
    const done = new Set<string>();
    const follow = (module: string, way: readonly string[]): readonly string[] | undefined => {
      if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
      if (done.has(module) || !within(module)) return undefined;
      const found = this.of(module).reduce<readonly string[] | undefined>(
        (circle, next) => circle ?? follow(next, [...way, module]),
        undefined,
      );
      done.add(module);
      return found;
    };
    return this.modules.reduce<readonly string[] | undefined>(
      (circle, module) => circle ?? follow(module, []),
      undefined,
    );
  }
}
