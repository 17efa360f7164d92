import type { Incarnation } from '../../../src/core/ids.ts';
import {
  isRefused,
  type ReplayedLetters,
  type RunningReplay,
  type SinkProgress,
} from '../../../src/core/progress/sink-progress.ts';
import { packOffsets } from '../../../src/core/progress/packed-offsets.ts';
import { askReplay } from '../../../src/core/progress/replay-order.ts';
import { giveImportUp, ledgerVerdict, requireObjects, type Verdict } from './verdicts.ts';
import { mapped } from './mapped.ts';
import type { LoadAnswer, ReplayedLine } from './table-world.ts';
import { Violation } from './violation.ts';
import type { Shadow, Step, World } from './world.ts';

/** What the mapping of a document makes of the dead letters that are in the table, as far as it takes them. */
export function replayable(
  world: World,
  { incarnation, mappingVersion, deleted }: SinkProgress,
): readonly ReplayedLine[] {
  if (deleted) return [];
  return world.tables.dead.flatMap(({ incarnation: of, partition, offset }): ReplayedLine[] => {
    if (of !== incarnation) return [];
    const becomes = mapped({ incarnation, partition, offset, mappingVersion });
    return becomes === 'dead' ? [] : [{ partition, offset, becomes }];
  });
}

/** An importer has time for dead letters: maps some of them by the mapping of the document that it read, and starts a replay of them. */
export function* beginReplay(world: World, value: SinkProgress): Step {
  const { incarnation, mappingVersion } = value;
  const found = replayable(world, value);
  if (found.length === 0 || world.choose(2) !== 0) return;
  const from = world.choose(found.length);
  const lines = found.slice(from, from + 1 + world.choose(3));
  yield;
  const stamp = world.clock;
  const id = `r${world.serial()}`;
  const rows = lines.filter(({ becomes }) => becomes === 'row').length;
  const lettersObject = { name: `${id}.letters`, bytes: 0 };
  const rowsObject = { name: `${id}.rows`, bytes: rows };
  for (const { name } of rows === 0 ? [lettersObject] : [lettersObject, rowsObject]) {
    yield;
    world.objects.set(name, { stamp, incarnation });
  }
  world.tables.replays.set(lettersObject.name, lines);
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
  const asked = askedReplay(world, document.value);
  const last = lines.at(-1) ?? { partition: 0, offset: 0 };
  const after = world.rules.startReplay(asked, {
    id,
    replayId: asked.replay?.id ?? '',
    from: asked.replay?.after,
    passed: { seen: lines.length, refused: 0, partial: 0, after: { ...last, eventId: id } },
    mappingVersion,
    letters: countByPartition(lines),
    ...(rows === 0 ? {} : { rowsObject }),
    lettersObject,
    firstArrival: 0,
    lastArrival: 0,
    at: world.clock,
    stamp,
  });
  if (isRefused(after)) world.hit('replay refused');
  if (isRefused(after)) return;
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
}

/** Somebody has asked for one, and stops it now and then. */
function askedReplay(world: World, value: SinkProgress): SinkProgress {
  if (value.replay?.state === 'running') return value;
  const asked = askReplay(value, { id: `a${world.serial()}`, filter: {}, matching: 0, at: world.clock });
  return isRefused(asked) ? value : asked;
}

function countByPartition(lines: readonly ReplayedLine[]): Readonly<Record<string, ReplayedLetters>> {
  const letters: Record<string, ReplayedLetters> = {};
  for (const [partition, own] of Map.groupBy(lines, (line) => line.partition))
    letters[partition] = {
      rows: own.filter(({ becomes }) => becomes === 'row').length,
      filtered: own.filter(({ becomes }) => becomes === 'filtered').length,
      offsets: packOffsets(own.map(({ offset }) => offset)),
    };
  return letters;
}

/** A replay that runs by the document: as an import, but that its letters stay dead when it is given up. */
export function* runReplay(world: World, incarnation: Incarnation, running: RunningReplay): Step {
  yield;
  const { rowsObject, lettersObject } = running;
  const isRunning = ({ replaying }: SinkProgress): boolean => replaying?.number === running.number;
  if (!requireObjects(world, incarnation, { objects: [rowsObject, lettersObject], isRunning })) return;
  yield;
  let answer: LoadAnswer | undefined = world.tables.loadReplay(incarnation, running);
  if (answer === 'unclear') {
    yield;
    world.hit('replay unclear');
    answer = ledgerVerdict(world, incarnation, running);
  }
  if (answer === 'refused') {
    const now = world.read(incarnation, { fresh: true });
    if (now !== undefined && isRunning(now.value))
      throw new Violation(`ledger alarm: replay ${running.number} of ${incarnation} does not fit the ledger`);
    return;
  }
  if (answer === 'misfit' || answer === 'error' || answer === 'gone') {
    if (answer === 'gone') world.hit('letters of a replay gone');
    answer = yield* giveImportUp(world, incarnation, running);
  }
  if (answer === 'loaded' || answer === 'abandoned') yield* follow(world, incarnation, { running, verdict: answer });
}

function* follow(
  world: World,
  incarnation: Incarnation,
  { running, verdict }: { readonly running: RunningReplay; readonly verdict: Verdict },
): Step {
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
  const { finishReplay, abandonReplay } = world.rules;
  const after = verdict === 'loaded' ? finishReplay(document.value, running) : abandonReplay(document.value, running);
  if (isRefused(after)) return;
  const lines = verdict === 'loaded' ? (world.tables.replays.get(running.lettersObject.name) ?? []) : [];
  const filtered = lines.flatMap(({ partition, offset, becomes }): Shadow[] =>
    becomes === 'filtered' ? [{ kind: 'filtered', partition, offset }] : [],
  );
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: [...document.shadows, ...filtered] });
  world.hit(`replay ${verdict}`);
}
