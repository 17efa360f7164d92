import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { shellWord } from './shell-word.ts';

export interface Started {
  /** The file that Node was started with. */
  readonly entry: string;
  /** The program of Node. */
  readonly node: string;
  readonly workingDir: string;
  /** The variable PATH. */
  readonly path: string;
}

const name = 'millrace';
const manifestShape = z.object({ name: z.string(), bin: z.record(z.string(), z.string()) }).partial();

/**
 * How a person in this folder calls this program: by its name where the shell finds it, by `npx` in a folder where npm has
 * it, else by its file.
 */
export function programName(started: Started): string {
  const root = packageRoot(realPath(started.entry) ?? started.entry);
  const isOwn = (file: string): boolean => root !== undefined && packageRoot(realPath(file) ?? '/') === root;
  if (started.entry.includes(`${sep}_npx${sep}`) && root !== undefined) return `npx ${manifestOf(root).name ?? name}`;
  if (shellFolders(started.path).some((folder) => isOwn(join(folder, name)))) return name;
  const project = npmFolder(started.workingDir);
  if (project !== undefined && commandsOf(project).some(isOwn)) return `npx ${name}`;
  return `${shellWord(started.node)} ${shellWord(resolve(started.workingDir, started.entry))}`;
}

/** Without those that npm puts in front for its own children: the shell of a person does not have them. */
function shellFolders(path: string): readonly string[] {
  const ofNpm = `${sep}node_modules${sep}.bin`;
  return path.split(delimiter).filter((folder) => folder !== '' && !folder.endsWith(ofNpm));
}

/** What `npx millrace` may start in a project of npm: what is installed there, or the project itself. */
function commandsOf(project: string): readonly string[] {
  const own = manifestOf(project).bin?.[name];
  return [join(project, 'node_modules', '.bin', name), ...(own === undefined ? [] : [join(project, own)])];
}

/** The folder that npm works on: the nearest one with a manifest or with packages. */
function npmFolder(folder: string): string | undefined {
  if (['package.json', 'node_modules'].some((mark) => existsSync(join(folder, mark)))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : npmFolder(above);
}

/** The folder of the package that a file belongs to; undefined for one of no package. */
export function packageRoot(file: string): string | undefined {
  const folder = dirname(file);
  if (folder === file) return undefined;
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(folder);
}

function manifestOf(folder: string): z.infer<typeof manifestShape> {
  try {
    return manifestShape.safeParse(parseJsonText(readFileSync(join(folder, 'package.json'), 'utf8'))).data ?? {};
  } catch {
    return {};
  }
}

/** Undefined for a file that is not there. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
