import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mutatedText } from './mutated-text.ts';
import type { Mutation } from './mutation.ts';

/** A copy of the sources as they stand, with temporary files of its own, in which rules are broken one at a time. */
export class WorkTree {
  readonly path: string;
  readonly temporary: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'tree');
    this.temporary = join(folder, 'tmp');
  }

  static async copy(root: URL): Promise<WorkTree> {
    const from = fileURLToPath(root);
    const tree = new WorkTree(await mkdtemp(join(tmpdir(), 'millrace-mutate-')));
    // Servers that refuse to run as root find their folders through here.
    await chmod(tree.#folder, 0o711);
    await mkdir(tree.temporary);
    await chmod(tree.temporary, 0o1777);
    for (const file of await sourcesOf(from)) {
      await mkdir(dirname(join(tree.path, file)), { recursive: true });
      await cp(join(from, file), join(tree.path, file), { verbatimSymlinks: true });
    }
    await symlink(join(from, 'node_modules'), join(tree.path, 'node_modules'));
    return tree;
  }

  /** Runs something with the mutation in the tree, and takes it out again. */
  async with<T>(mutation: Mutation, run: () => Promise<T>): Promise<T> {
    const file = join(this.path, mutation.file);
    const original = await readFile(file, 'utf8');
    await writeFile(file, mutatedText(original, mutation));
    try {
      return await run();
    } finally {
      await writeFile(file, original);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The files of the repository that are there, those that are not committed too. */
async function sourcesOf(folder: string): Promise<readonly string[]> {
  const list = async (...options: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', ...options], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\0').filter((file) => file !== '');
  };
  const gone = new Set(await list('--deleted'));
  const all = await list('--cached', '--others', '--exclude-standard');
  return [...new Set(all)].filter((file) => !gone.has(file));
}
