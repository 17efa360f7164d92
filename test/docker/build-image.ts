import { execFile } from 'node:child_process';
import { constants, copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DockerfileParser, type Copy, type Instruction } from 'dockerfile-ast';
import { readDockerIgnore } from './docker-ignore.ts';

/** What a Dockerfile made: the last stage's files below a folder, and how it is run. */
export interface BuiltImage {
  /** Stands for `/`. */
  readonly root: string;
  /** A path of the image on this machine. */
  at(path: string): string;
  readonly baseImage: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** `uid:gid`. */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
}

export interface BuildOptions {
  readonly dockerfile: string;
  readonly context: string;
  /** Empty; gets a folder for each stage. */
  readonly folder: string;
}

interface Stage {
  readonly name: string;
  readonly root: string;
  readonly baseImage: string;
  workdir: string;
  user: string;
  env: Record<string, string>;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
  ports: readonly string[];
  volumes: readonly string[];
}

/**
 * Carries out a Dockerfile's instructions in folders, one by one as they stand in it, without an engine: a stage's `/` is a
 * folder with this process's Node where the base image has its own; everything else is this machine's. Throws at an
 * instruction that fails, and at one that it does not know.
 */
export async function buildImage(options: BuildOptions): Promise<BuiltImage> {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(options.dockerfile, 'utf8')).getInstructions())
    await carryOut(instruction, stages, options);
  const stage = last(stages);
  return { ...stage, at: (path) => join(stage.root, resolve(stage.workdir, path)) };
}

async function carryOut(instruction: Instruction, stages: Stage[], options: BuildOptions): Promise<void> {
  const text = instruction.getArgumentsContent() ?? '';
  const words = instruction.getExpandedArguments().map((argument) => argument.getValue());
  switch (instruction.getKeyword()) {
    case 'ARG':
    case 'LABEL':
      return;
    case 'FROM':
      stages.push(openStage(words, options.folder));
      return;
    case 'WORKDIR':
      last(stages).workdir = resolve(last(stages).workdir, text);
      mkdirSync(join(last(stages).root, last(stages).workdir), { recursive: true });
      return;
    case 'COPY':
      copy(instruction as Copy, words, { stages, options });
      return;
    case 'RUN':
      await run(last(stages), text);
      return;
    case 'ENV':
      Object.assign(last(stages).env, Object.fromEntries(words.map((word) => word.split('=', 2))));
      return;
    case 'USER':
      last(stages).user = text;
      return;
    case 'VOLUME':
      last(stages).volumes = words;
      return;
    case 'EXPOSE':
      last(stages).ports = words;
      return;
    case 'HEALTHCHECK':
      last(stages).healthcheck = listOf(text.replace(/^CMD\s+/, ''));
      return;
    case 'ENTRYPOINT':
      last(stages).entrypoint = listOf(text);
      return;
    case 'CMD':
      last(stages).command = listOf(text);
      return;
    default:
      throw new Error(`the test does not know the instruction ${instruction.getKeyword()}`);
  }
}

function openStage([baseImage = '', , name = '']: readonly string[], folder: string): Stage {
  const root = join(folder, name);
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  // The user of the image may have no right to the folder of this process's Node.
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'), constants.COPYFILE_FICLONE);
  const nothing = { entrypoint: [], command: [], healthcheck: [], ports: [], volumes: [] };
  return { name, root, baseImage, workdir: '/', user: '0:0', env: {}, ...nothing };
}

interface Work {
  readonly stages: readonly Stage[];
  readonly options: BuildOptions;
}

/**
 * A folder's content, not the folder. What is copied out of the context follows the ignore file; a folder of another stage is
 * moved, because copying its thousands of files takes long, so an instruction that needs it again fails.
 */
function copy(instruction: Copy, words: readonly string[], { stages, options }: Work): void {
  const target = words.at(-1) ?? '';
  const place = join(last(stages).root, resolve(last(stages).workdir, target));
  const from = instruction.getFromFlag()?.getValue();
  for (const source of words.slice(0, -1)) {
    if (from == null) copyOfContext(source, placeOf(join(options.context, source)), options);
    else {
      const stage = stages.find(({ name }) => name === from);
      if (stage === undefined) throw new Error(`there is no stage ${from}`);
      renameSync(join(stage.root, source), placeOf(join(stage.root, source)));
    }
  }

  function placeOf(source: string): string {
    return target.endsWith('/') && statSync(source).isFile() ? join(place, basename(source)) : place;
  }
}

function copyOfContext(source: string, place: string, { dockerfile, context }: BuildOptions): void {
  const isSent = readDockerIgnore(`${dockerfile}.dockerignore`);
  const filter = (path: string): boolean => statSync(path).isDirectory() || isSent(relative(context, path));
  if (!filter(join(context, source))) throw new Error(`${source} is copied and ignored`);
  cpSync(join(context, source), place, { recursive: true, filter });
}

/** In a shell, as the base image's `sh` does it; absolute paths are those of the stage. Only root may give files away. */
async function run(stage: Stage, script: string): Promise<void> {
  const inside = script.replaceAll(/(?<=\s)\/(?=\w)/g, `${stage.root}/`);
  const mine = process.getuid?.() === 0 ? inside : inside.replaceAll(/\s--(?:owner|group)=\d+/g, '');
  const cwd = join(stage.root, stage.workdir);
  const env = { ...buildEnvironment(stage.root), ...stage.env };
  await promisify(execFile)('sh', ['-c', mine], { cwd, env, maxBuffer: 2 ** 24 }).catch((thrown: unknown) => {
    const { stdout, stderr } = thrown as { readonly stdout: string; readonly stderr: string };
    throw new Error(`"${script}" failed:\n${stdout}\n${stderr}`, { cause: thrown });
  });
}

/** This process's variables, without those of its npm and its test runner, and with no program out of a `node_modules`. */
export function buildEnvironment(root: string): Record<string, string> {
  const foreign =
    /^(?:npm_(?:lifecycle|package|command|execpath|node_execpath|config_local)|VITEST|MILLRACE|NODE_(?:ENV|OPTIONS)|INIT_CWD)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const path = [join(root, 'usr/local/bin'), ...folders].join(':');
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: path, npm_config_prefer_offline: 'true' };
}

function listOf(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

function last(stages: readonly Stage[]): Stage {
  const stage = stages.at(-1);
  if (stage === undefined) throw new Error('an instruction stands before FROM');
  return stage;
}
