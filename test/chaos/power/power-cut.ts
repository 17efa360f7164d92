import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Noted } from './journal.ts';

export interface PowerCut {
  /** The folder that was written to. Nobody has it open any more. */
  readonly root: string;
  /** Where `recorder.c` kept what lost its name, by inode. */
  readonly trash: string;
  readonly journal: readonly Noted[];
  readonly random: () => number;
}

/** Counts of changes that were not synced. */
export interface Lost {
  readonly forgotten: number;
  /** A disk may have written them all the same. */
  readonly kept: number;
}

const sectorBytes = 512;

/**
 * Makes the folder what a disk may hold after a cut of the power. What was synced is there: bytes by a sync of their file, names by a sync
 * of their folder; not what a sync that failed should have covered, whatever later ones say. Of the rest, names of a folder are there up
 * to a random one, and of bytes any writes, the last of them perhaps in part.
 */
export function cutPower({ root, trash, journal, random }: PowerCut): Lost {
  const synced = syncsOf(journal);
  const survives = survivorsOf(journal, { synced, random });
  forgetNames(journal, survives, trash);
  forgetBytes(journal, { survives, synced, paths: pathsByInode([root, trash]), random });
  const unsynced = journal.filter((entry, index) => entry.kind !== 'sync' && !isSynced(entry, index, synced));
  const forgotten = journal.filter((entry, index) => entry.kind !== 'sync' && !survives[index]).length;
  return { forgotten, kept: unsynced.length - forgotten };
}

/** By inode of a file or folder: its syncs, in their order. */
type Synced = ReadonlyMap<number, readonly Noted[]>;

function syncsOf(journal: readonly Noted[]): Synced {
  return Map.groupBy(
    journal.filter(({ kind }) => kind === 'sync'),
    ({ inode }) => inode,
  );
}

function isOfBytes({ kind }: Noted): boolean {
  return kind === 'write' || kind === 'truncate';
}

function isSynced(entry: Noted, index: number, synced: Synced): boolean {
  if (entry.isDurable) return true;
  // The first sync that covers an entry decides: after one that failed the system takes it for written, and writes it no more.
  const covers = (inode: number): boolean =>
    synced.get(inode)?.find((sync) => sync.covers > index)?.hasFailed === false;
  if (isOfBytes(entry)) return covers(entry.inode);
  return covers(entry.folder) && (entry.kind !== 'rename' || covers(entry.otherFolder));
}

/** For each entry whether the disk has it. */
function survivorsOf(
  journal: readonly Noted[],
  { synced, random }: { readonly synced: Synced; readonly random: () => number },
): readonly boolean[] {
  const survives = journal.map((entry, index) => isSynced(entry, index, synced));
  // Some disks have written nearly everything, some nothing.
  const share = random() < 0.3 ? 0 : random();
  const brokenOff = new Set<number>();
  for (const [index, entry] of journal.entries()) {
    if (entry.kind === 'sync' || survives[index] === true) continue;
    if (isOfBytes(entry)) survives[index] = random() < share;
    else {
      const folders = [entry.folder, ...(entry.kind === 'rename' ? [entry.otherFolder] : [])];
      const goesOn = random() < share && !folders.some((folder) => brokenOff.has(folder));
      survives[index] = goesOn;
      if (!goesOn) for (const folder of folders) brokenOff.add(folder);
    }
  }
  return survives;
}

/** Takes back, last first, what happened to names and did not reach the disk. */
function forgetNames(journal: readonly Noted[], survives: readonly boolean[], trash: string): void {
  /** What the disk says of a name later on holds, whatever it does not know of before. */
  const settled = new Set<string>();
  for (const [index, entry] of [...journal.entries()].toReversed()) {
    if (entry.kind === 'sync' || isOfBytes(entry)) continue;
    const { path, otherPath } = entry;
    if (survives[index] === true) [path, otherPath].forEach((name) => settled.add(name));
    else if (!settled.has(path) && !(entry.kind === 'rename' && settled.has(otherPath))) takeBack(entry, trash);
  }
}

function takeBack({ kind, path, otherPath, inode, offset }: Noted, trash: string): void {
  switch (kind) {
    case 'create':
    case 'link':
    case 'mkdir':
      rmSync(path, { recursive: true, force: true });
      return;
    case 'rename':
      if (existsSync(otherPath) && existsSync(dirname(path))) renameSync(otherPath, path);
      if (offset !== 0) bringBack(join(trash, String(offset)), otherPath);
      return;
    case 'unlink':
      bringBack(join(trash, String(inode)), path);
      return;
    case 'rmdir':
      mkdirSync(path, { recursive: true });
      return;
    default:
  }
}

/** What stood in a folder that is gone for good is gone with it. */
function bringBack(kept: string, path: string): void {
  if (existsSync(kept) && !existsSync(path) && existsSync(dirname(path))) linkSync(kept, path);
}

interface BytesOf {
  readonly survives: readonly boolean[];
  readonly synced: Synced;
  readonly paths: ReadonlyMap<number, string>;
  readonly random: () => number;
}

/** Undoes each file back to its first entry that the disk does not have, and does again what it has. */
function forgetBytes(journal: readonly Noted[], { survives, synced, paths, random }: BytesOf): void {
  const byFile = Map.groupBy(
    [...journal.entries()].filter(([, entry]) => isOfBytes(entry)),
    ([, { inode }]) => inode,
  );
  for (const [inode, entries] of byFile) {
    const path = paths.get(inode);
    const first = entries.findIndex(([index]) => survives[index] !== true);
    if (path === undefined || first === -1) continue;
    const file = openSync(path, 'r+');
    try {
      const undone = entries.slice(first);
      for (const [, entry] of undone.toReversed()) undo(file, entry);
      for (const [index, entry] of undone) {
        const tears = !isSynced(entry, index, synced) && random() < 0.2;
        if (survives[index] === true) redo(file, entry, tears ? random() : 1);
      }
    } finally {
      closeSync(file);
    }
  }
}

function undo(file: number, { offset, before, sizeBefore }: Noted): void {
  if (before.length > 0) writeSync(file, before, 0, before.length, offset);
  ftruncateSync(file, sizeBefore);
}

/** `share` of a write reached the disk, in whole sectors. */
function redo(file: number, { kind, offset, after }: Noted, share: number): void {
  if (kind === 'truncate') {
    ftruncateSync(file, offset);
    return;
  }
  const length = share === 1 ? after.length : Math.floor((after.length * share) / sectorBytes) * sectorBytes;
  if (length > 0) writeSync(file, after, 0, length, offset);
}

function pathsByInode(folders: readonly string[]): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) paths.set(statSync(path).ino, path);
    }
  }
  return paths;
}
