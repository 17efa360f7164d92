import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ImportGraph } from './import-graph.ts';
import { blind, pure, recursive, rooms, type Room } from './rooms.ts';

const graph = new ImportGraph(fileURLToPath(new URL('../../', import.meta.url)));

function roomOf(module: string): Room | undefined {
  const path = module.replace('src/', '');
  const found = rooms.filter(({ name }) => isWithin(path, name));
  return found.toSorted((a, b) => b.name.length - a.name.length)[0];
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

/** Whether a name of the table means this room. */
function means(name: string, room: Room): boolean {
  return name.endsWith('/*') ? isWithin(room.name, name.slice(0, -2)) : room.name === name;
}

function mayImportOfNode({ name }: Room, imported: string): boolean {
  if (name === blind) return !/^node:(https?|http2|net|tls|dgram)$/.test(imported);
  return !pure.has(name) || /^node:(buffer|crypto)$/.test(imported);
}

function mayImport(room: Room, imported: string): boolean {
  if (imported.startsWith('node:')) return mayImportOfNode(room, imported);
  const other = imported.startsWith('src/') ? roomOf(imported) : undefined;
  if (other === undefined) return room.packages.some((name) => isWithin(imported, name));
  return other === room || room.may.some((name) => means(name, other));
}

describe('the rooms of src', () => {
  it('are all in the table, and the table names no other', () => {
    expect(graph.modules.filter((module) => roomOf(module) === undefined)).toEqual([]);
    const used = new Set(graph.modules.map(roomOf));
    expect(rooms.filter((room) => !used.has(room))).toEqual([]);
  });

  it('import what the table lets them', () => {
    const wrong = graph.modules.flatMap((module) => {
      const room = roomOf(module);
      if (room === undefined) return [module];
      const refused = graph.of(module).filter((imported) => !mayImport(room, imported));
      return refused.map((imported) => `${module} imports ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  it('stand in the table above those that they import', () => {
    const back = rooms.flatMap(({ name, may }, at) =>
      may.filter((one) => rooms.slice(at).some((room) => means(one, room))).map((one) => `${name} imports ${one}`),
    );
    expect(back).toEqual([]);
  });

  it('have no module that nobody imports, but where a process and its threads begin', () => {
    const imported = new Set(graph.modules.flatMap((module) => graph.of(module)));
    const threads = ['backup/backup-entry.ts', 'composition/thread-entry.ts', 'trials/trial-entry.ts'];
    const begin = ['src/main.ts', ...threads.map((entry) => `src/runtime/${entry}`)];
    const alone = graph.modules.filter((module) => !imported.has(module) && !begin.includes(module));
    expect(alone).toEqual([]);
  });

  it('have no modules that import each other, not even for their types', () => {
    expect(graph.circle((module) => roomOf(module)?.name !== recursive)).toBeUndefined();
  });
});
