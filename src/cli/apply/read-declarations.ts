import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Terminal } from '../terminal.ts';
import type { ConfigurationDeclaration } from './configuration-declaration.ts';
import type { DeclaredSource } from './declaration.ts';
import { parseDeclarations, type ParsedFile } from './parse-declarations.ts';

/** What files say. */
export interface Declared {
  /** By id. */
  readonly sources: readonly DeclaredSource[];
  readonly configurations: readonly ConfigurationDeclaration[];
  /** Of what they say something: of the rest nothing is deleted. */
  readonly says: ReadonlySet<'sources' | 'configurations'>;
}

/**
 * The sources and configurations of all documents of all files, by id; `-` is standard input, a folder stands for the YAML and JSON files
 * in it. Everything that is wrong with any of them is one `input.invalid`.
 */
export async function readDeclarations(
  paths: readonly string[],
  { stdin }: Pick<Terminal, 'stdin'>,
): Promise<Declared> {
  const parsed: ParsedFile[] = [];
  for (const path of paths) {
    if (path === '-') parsed.push(parseDeclarations(await text(stdin), 'standard input'));
    else for (const file of await filesOf(path)) parsed.push(parseDeclarations(await readText(file), file));
  }
  const sources = parsed.flatMap((file) => file.sources);
  const configurations = parsed.flatMap((file) => file.configurations);
  const named = [
    ...sources.map(({ source, place }) => ({ name: `sources.${source.sourceId}`, place })),
    ...configurations.map(({ configuration: { componentId, configurationId }, place }) => ({
      name: `configurations.${componentId}.${configurationId}`,
      place,
    })),
  ];
  const problems = [...parsed.flatMap((file) => file.problems), ...twice(named)];
  if (problems.length > 0) throw invalid(problems);
  return {
    sources: sources.map(({ source }) => source).toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1)),
    configurations: configurations
      .map(({ configuration }) => configuration)
      .toSorted((a, b) => (a.configurationId < b.configurationId ? -1 : 1)),
    says: new Set(parsed.flatMap(({ says }) => says)),
  };
}

function twice(named: readonly { readonly name: string; readonly place: string }[]): readonly string[] {
  const places = new Map<string, string>();
  return named.flatMap(({ name, place }) => {
    const other = places.get(name);
    if (other === undefined) places.set(name, place);
    return other === undefined ? [] : [`${place}: ${name}: is already declared at ${other}`];
  });
}

function invalid(problems: readonly string[]): MillraceError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const listed = problems.map((problem) => `\n- ${problem}`).join('');
  return new MillraceError('input.invalid', `Nothing was done, because of ${count}:${listed}`);
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(unreadable(path));
  if (!found.isDirectory()) return [path];
  const files = (await readdir(path).catch(unreadable(path))).filter((name) => /\.(?:ya?ml|json)$/i.test(name));
  if (files.length > 0) return files.toSorted().map((name) => join(path, name));
  throw new MillraceError('input.invalid', `The folder "${path}" holds no file that ends in .yaml, .yml or .json.`);
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(unreadable(file));
}

function unreadable(path: string) {
  return (thrown: unknown): never => {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `"${path}" cannot be read: ${message}`, { cause: thrown });
  };
}
