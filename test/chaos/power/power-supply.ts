import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJournal } from './journal.ts';
import { cutPower, type Lost } from './power-cut.ts';

/** Why the power cannot be cut here; undefined when it can. In CI it throws instead. */
export function whyNoPowerCuts(): string | undefined {
  if (process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0) return undefined;
  const reason = 'cuts of the power need Linux and a C compiler, as `cc`';
  if (process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/** Watches what a process does to its folder, and takes away what it did not sync. */
export class PowerSupply {
  readonly #root: string;
  readonly #library: string;
  readonly #journal: string;
  readonly #trash: string;

  /** `root` is the folder that is watched, and is there; `work` is an empty one on the same file system. */
  constructor(root: string, work: string) {
    this.#root = root;
    this.#library = join(work, 'recorder.so');
    this.#journal = join(work, 'journal');
    this.#trash = join(work, 'trash');
    const source = fileURLToPath(new URL('recorder.c', import.meta.url));
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-w', '-o', this.#library, source, '-ldl', '-lpthread']);
    this.#forget();
  }

  /** Variables of a process that is watched; one at a time, and as many as are wanted until a cut. */
  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      POWER_ROOT: this.#root,
      POWER_JOURNAL: this.#journal,
      POWER_TRASH: this.#trash,
    };
  }

  /** The same beside the variables of another library that is loaded into the process. */
  environmentWith(other: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    const libraries = [this.#library, other['LD_PRELOAD']].filter((library) => library !== undefined);
    return { ...other, ...this.environment, LD_PRELOAD: libraries.join(' ') };
  }

  /** The process was killed: makes the folder what a disk may hold. */
  cut(random: () => number): Lost {
    const journal = readJournal(this.#journal);
    const lost = cutPower({ root: this.#root, trash: this.#trash, journal, random });
    this.#forget();
    return lost;
  }

  #forget(): void {
    rmSync(this.#journal, { force: true });
    rmSync(this.#trash, { recursive: true, force: true });
    mkdirSync(this.#trash);
  }
}
