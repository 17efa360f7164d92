import { statfsSync } from 'node:fs';

/** `f_type` of file systems that write elsewhere what is overwritten: btrfs, ZFS, bcachefs; and APFS, by its platform. */
const types: ReadonlySet<number> = new Set([0x9123683e, 0x2fc12fc1, 0xca451a4e]);

/** Overwriting may need a free block, also of what is allocated. */
export function copiesOnWrite(path: string): boolean {
  return process.platform === 'darwin' || types.has(statfsSync(path).type);
}
