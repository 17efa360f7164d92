import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../../src', import.meta.url));

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Which file of a room imports which of its own, for types or not. */
function importsIn(room: string): Graph {
  const files = globSync('**/*.ts', { cwd: join(sources, room) }).filter((file) => !file.includes('.test.'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(sources, room, file), 'utf8');
      const paths = Array.from(text.matchAll(/(?:from |import\()'(\.[^']+)'/g), ([, path = '']) => path);
      const targets = paths.map((path) => join(room, dirname(file), path));
      const own = targets.filter((target) => target.startsWith(`${room}/`)).map((target) => relative(room, target));
      return [file, new Set(own)];
    }),
  );
}

/** The same between folders; a file beside them counts as one. */
function folders(files: Graph): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const from = file.split('/')[0] ?? '';
    const all = graph.get(from) ?? new Set();
    for (const target of targets) if (!target.startsWith(`${from}/`)) all.add(target.split('/')[0] ?? '');
    graph.set(from, all);
  }
  return graph;
}

/** What is left when whatever imports nothing that is left has been taken away: circles, and what leads to them. */
function circlesIn(graph: Graph): readonly string[] {
  const left = new Map(graph);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [node, targets] of left) if (![...targets].some((target) => left.has(target))) left.delete(node);
  }
  return [...left.keys()];
}

describe.each(['control', 'api'])('%s', (room) => {
  const files = importsIn(room);

  it('has no circle of imports, those of types included, between its files', () => {
    expect(files.size).toBeGreaterThan(10);
    expect(circlesIn(files)).toEqual([]);
  });

  it('has none between its folders', () => {
    expect(circlesIn(folders(files))).toEqual([]);
  });
});

it('an import that runs back is found', () => {
  const files = new Map([
    ['a/one.ts', new Set(['b/two.ts'])],
    ['b/two.ts', new Set(['b/three.ts'])],
    ['b/three.ts', new Set(['a/four.ts'])],
    ['a/four.ts', new Set<string>()],
  ]);
  expect(circlesIn(files)).toEqual([]);
  expect(circlesIn(folders(files))).toEqual(['a', 'b']);
});
