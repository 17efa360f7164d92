import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { dataFolder } from '../embedded/data-folder.ts';
import type { BackupSpec, FromBackup, ToBackup } from './backup-messages.ts';
import { holdMoment, type HeldMoment } from './hold-moment.ts';
import { dumps, type BackupFile } from './manifest.ts';

/** Bytes that are read and written at once. */
const pieceBytes = 1024 * 1024;

/** The life of the thread: it holds the moment when it is told to, writes it, and ends. */
export function serveBackup(): void {
  const port = parentPort;
  if (port === null) throw new MillraceError('internal.bug', 'the thread of a backup needs a parent');
  const spec = workerData as BackupSpec;
  const say = (message: FromBackup): void => port.postMessage(message);
  let held: HeldMoment | undefined;
  const letGo = async (): Promise<void> => {
    const holding = held;
    held = undefined;
    await holding?.[Symbol.asyncDispose]();
  };
  const work = async (message: ToBackup): Promise<void> => {
    switch (message.kind) {
      case 'hold':
        await letGo();
        held = await holdMoment(dataFolder(spec.dataDir));
        say({ kind: 'held' });
        return;
      case 'write':
        if (held === undefined) throw new MillraceError('internal.bug', 'nothing is held');
        say({ kind: 'done', files: new BackupWriter(spec, say).write(held, message) });
        return;
      case 'end':
        await letGo();
        port.close();
        return;
      default:
        message satisfies never;
    }
  };
  port.on('message', (message: ToBackup) => {
    work(message).catch((thrown: unknown) => {
      // What the disk refuses is no fault of the product.
      const code = thrown instanceof MillraceError ? thrown.code : 'backup.failed';
      say({ kind: 'failed', code, message: messageOf(thrown) });
    });
  });
}

class BackupWriter {
  readonly #spec: BackupSpec;
  readonly #say: (message: FromBackup) => void;

  constructor(spec: BackupSpec, say: (message: FromBackup) => void) {
    this.#spec = spec;
    this.#say = say;
  }

  /** All files of the backup but its manifest, each durable. */
  write(held: HeldMoment, { files, copied }: Extract<ToBackup, { kind: 'write' }>): readonly BackupFile[] {
    return [
      ...copied.map((path) => this.#check(path)),
      this.#write(dumps.catalog, held.catalog.dump()),
      this.#write(dumps.sinkLog, held.sinkLog.dump()),
      this.#write(dumps.sourceLog, held.sourceLog.dump()),
      ...files.map(({ from, path }) => this.#write(path, piecesOf(from))),
    ];
  }

  #write(path: string, pieces: Iterable<Uint8Array>): BackupFile {
    const target = join(this.#spec.to, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const file = openSync(target, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      let bytes = 0;
      for (const piece of gathered(pieces)) {
        this.#goOn(piece.length);
        hash.update(piece);
        for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
        bytes += piece.length;
      }
      fsyncSync(file);
      return { path, bytes, sha256: hash.digest('hex') };
    } finally {
      closeSync(file);
    }
  }

  /** Of a file that is in the backup already. */
  #check(path: string): BackupFile {
    const target = join(this.#spec.to, path);
    const hash = createHash('sha256');
    let bytes = 0;
    for (const piece of piecesOf(target)) {
      this.#goOn(piece.length);
      hash.update(piece);
      bytes += piece.length;
    }
    const file = openSync(target, 'r');
    fsyncSync(file);
    closeSync(file);
    return { path, bytes, sha256: hash.digest('hex') };
  }

  #goOn(bytes: number): void {
    if (Atomics.load(this.#spec.stop, 0) === 1) throw new MillraceError('backup.failed', 'the backup was stopped');
    this.#say({ kind: 'wrote', bytes });
  }
}

function* piecesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const read = readSync(file, piece, 0, piece.length, null);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

/** The same bytes in pieces of about one size, which the next one overwrites. What LMDB shows is used at once. */
function* gathered(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const held = Buffer.allocUnsafe(pieceBytes);
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.length > held.length && length > 0) {
      yield held.subarray(0, length);
      length = 0;
    }
    if (piece.length >= held.length) {
      yield piece;
      continue;
    }
    held.set(piece, length);
    length += piece.length;
  }
  if (length > 0) yield held.subarray(0, length);
}
