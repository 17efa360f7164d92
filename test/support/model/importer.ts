import type { Incarnation } from '../../../src/core/ids.ts';
import { clearFlush, wantsImport } from '../../../src/core/progress/flush.ts';
import { park, unpark, unparkDamaged } from '../../../src/core/progress/parked.ts';
import {
  isRefused,
  type Refused,
  type RunningImport,
  type SinkProgress,
} from '../../../src/core/progress/sink-progress.ts';
import { checkFlushed } from './check.ts';
import { DamageMemory, parkFailed } from './damage.ts';
import { giveImportUp, ledgerVerdict, requireObjects, type Verdict } from './verdicts.ts';
import { beginReplay, runReplay } from './replayer.ts';
import type { LoadAnswer } from './table-world.ts';
import { Violation } from './violation.ts';
import type { Step, Stored, World } from './world.ts';

/** Rule 4: an importer of one incarnation. Whatever is answered, it looks at the document again. */
export function* importer(world: World, incarnation: Incarnation): Step {
  const memory = new DamageMemory(world);
  for (;;) {
    yield;
    const document = world.read(incarnation);
    if (document === undefined) return;
    const { value } = document;
    if (value.importing !== undefined) {
      yield* runImport(world, memory, value);
      continue;
    }
    if (value.replaying !== undefined) {
      yield* runReplay(world, incarnation, value.replaying);
      continue;
    }
    yield* beginReplay(world, value);
    const after = dueChange(world, memory, value);
    if (after === undefined || isRefused(after)) continue;
    yield;
    const answer = world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
    if (answer === 'ok' && value.flush !== undefined && after.flush === undefined) checkFlushed(world, document);
  }
}

/** What an importer changes while no import runs. */
function dueChange(world: World, memory: DamageMemory, value: SinkProgress): SinkProgress | Refused | undefined {
  const fitting = value.parked.find(
    (slice) => slice.damage === undefined && !isMisfit(world, value.incarnation, slice.mappingVersion),
  );
  if (fitting !== undefined) return unpark(value, fitting.mappingVersion);
  if (value.flush !== undefined && !isRefused(clearFlush(value))) return clearFlush(value);
  const damaged = memory.due(value);
  if (damaged !== undefined) return unparkDamaged(value, damaged.id);
  if (value.staged.length === 0) return undefined;
  if (!world.settling && !wantsImport(value) && world.choose(2) !== 0) return undefined;
  return world.rules.startImport(value, { id: `i${world.serial()}`, at: world.clock });
}

function isMisfit(world: World, incarnation: Incarnation, mappingVersion: number): boolean {
  return world.tables.misfits.has(`${incarnation}/${mappingVersion}`);
}

function* runImport(world: World, memory: DamageMemory, { incarnation, importing: running }: SinkProgress): Step {
  if (running === undefined) return;
  yield;
  const objects = running.slices.flatMap(({ rowsObject, deadObject }) => [rowsObject, deadObject]);
  const isRunning = ({ importing }: SinkProgress): boolean => importing?.number === running.number;
  if (!requireObjects(world, incarnation, { objects, isRunning })) return;
  yield;
  let answer: LoadAnswer | undefined = world.tables.load(incarnation, running);
  if (answer === 'unclear') {
    yield;
    world.hit('load unclear');
    answer = ledgerVerdict(world, incarnation, running);
  }
  if (answer === 'refused') {
    const now = world.read(incarnation, { fresh: true });
    if (now?.value.importing?.number === running.number)
      throw new Violation(`ledger alarm: import ${running.number} of ${incarnation} does not fit the ledger`);
    return;
  }
  const isDamaged = answer === 'error';
  if (answer === 'misfit' || answer === 'error') answer = yield* giveImportUp(world, incarnation, running);
  if (answer !== 'loaded' && answer !== 'abandoned') return;
  yield* followVerdict(world, incarnation, { running, verdict: answer });
  if (isDamaged && answer === 'abandoned' && (running.slices.length === 1 || !world.rules.parksAlone))
    for (const slice of running.slices) yield* parkFailed(world, memory, { incarnation, slice });
}

/** Makes the document agree with the ledger; slices of a version that does not fit are parked afterwards. */
function* followVerdict(
  world: World,
  incarnation: Incarnation,
  { running, verdict }: { readonly running: RunningImport; readonly verdict: Verdict },
): Step {
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
  const after = afterVerdict(world, document, { running, verdict });
  if (isRefused(after)) return;
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
  world.hit(`import ${verdict}`);
  yield;
  const now = world.read(incarnation);
  const misfit = now?.value.staged.find((slice) => isMisfit(world, incarnation, slice.mappingVersion));
  if (now === undefined || misfit === undefined) return;
  const parked = park(now.value, { mappingVersion: misfit.mappingVersion, at: world.clock });
  if (isRefused(parked)) return;
  yield;
  if (world.compareAndSet(incarnation, now, { value: parked, shadows: now.shadows }) === 'ok') world.hit('parked');
}

function afterVerdict(
  { rules, clock }: World,
  { value }: Stored,
  { running, verdict }: { readonly running: RunningImport; readonly verdict: Verdict },
): SinkProgress | Refused {
  return verdict === 'loaded' ? rules.finishImport(value, running, clock) : rules.abandonImport(value, running);
}
