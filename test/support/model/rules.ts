import { cutBelow } from '../../../src/core/progress/cut.ts';
import { forgo, forgoMapping } from '../../../src/core/progress/forgo.ts';
import * as imports from '../../../src/core/progress/import.ts';
import { hasLasted } from '../../../src/core/progress/lasting-failure.ts';
import { judgeLedger } from '../../../src/core/progress/ledger.ts';
import * as replays from '../../../src/core/progress/replay.ts';
import { isTornSince, resumePosition } from '../../../src/core/progress/resume.ts';
import { raiseFloor, seal, tear } from '../../../src/core/progress/seal.ts';
import { close, open } from '../../../src/core/progress/switch.ts';
import { judge } from '../../../src/core/progress/take.ts';

/** What the actors decide with: the product's own functions, and how the actors around them behave. */
export interface Rules {
  readonly seal: typeof seal;
  readonly tear: typeof tear;
  readonly raiseFloor: typeof raiseFloor;
  readonly open: typeof open;
  readonly close: typeof close;
  readonly forgo: typeof forgo;
  readonly forgoMapping: typeof forgoMapping;
  readonly startImport: typeof imports.startImport;
  readonly finishImport: typeof imports.finishImport;
  readonly abandonImport: typeof imports.abandonImport;
  readonly startReplay: typeof replays.startReplay;
  readonly finishReplay: typeof replays.finishReplay;
  readonly abandonReplay: typeof replays.abandonReplay;
  readonly hasTakenAll: typeof replays.hasTakenAll;
  readonly hasLasted: typeof hasLasted;
  readonly judge: typeof judge;
  readonly judgeLedger: typeof judgeLedger;
  readonly resumePosition: typeof resumePosition;
  readonly isTornSince: typeof isTornSince;
  /** Whoever maps a partition that the sink's topic does not have adds it. */
  readonly growsTopics: boolean;
  readonly cutBelow: typeof cutBelow;
  /** A mapper asks whether the source still has what it stands for: when it resumes a sink, and when it meets another epoch. */
  readonly comparesOnResume: boolean;
  readonly comparesBatches: boolean;
  /** A reader notes a repeat of a later epoch than that of its position. */
  readonly readersSeeOtherEvents: boolean;
  /** Disable and enable read the document before the ends. */
  readonly documentBeforeEnds: boolean;
  /** A batch carries the identity of its topic, and is mapped for nobody whose document has another one. */
  readonly batchesCarryIdentity: boolean;
  /** The ends of the source are those of the topic that the document knows: its identity is looked at after them. */
  readonly identityAfterEnds: boolean;
  /** What retention took, and offsets without a record, get outcomes. */
  readonly writesLost: boolean;
  readonly writesNone: boolean;
  /** A reader that meets a gap notes it, so that what is missing is mapped again. */
  readonly notesGaps: boolean;
  /** A reader leaves the objects of a seal that failed to the collector. */
  readonly leavesObjects: boolean;
  /** Slices of a partition are sealed in their order. */
  readonly sealsInOrder: boolean;
  /** Of slices that are sealed at once each one is looked at: entry and stamp. */
  readonly comparesEachEntry: boolean;
  readonly looksAtEachStamp: boolean;
  /** A slice that cannot be sealed takes those with it that follow. */
  readonly dropsWhatFollows: boolean;
  /** A reader waits for its slices behind before it looks at the document. */
  readonly settlesBeforeLooking: boolean;
  /** An import is given up in the ledger before the document. */
  readonly ledgerBeforeGivingUp: boolean;
  /** A slice is parked for its content only when it has failed alone. */
  readonly parksAlone: boolean;
  /** What was parked for its content is tried again. */
  readonly triesDamagedAgain: boolean;
  /** What a deleted incarnation wants is given up only when all of its own topic is passed. */
  readonly readsOwnTopic: boolean;
  /** The ledger row is made with the sink. */
  readonly ledgerRowMade: boolean;
  /** A process of a newer release adds its own to every document. */
  readonly newerReleaseBeside: boolean;
  /** Whoever removes objects, topics and ledger rows looks whose the stores are. */
  readonly looksAtMark: boolean;
}

/** The protocol as the product has it. */
export const productRules: Rules = {
  seal,
  tear,
  raiseFloor,
  open,
  close,
  forgo,
  forgoMapping,
  startImport: imports.startImport,
  finishImport: imports.finishImport,
  abandonImport: imports.abandonImport,
  startReplay: replays.startReplay,
  finishReplay: replays.finishReplay,
  abandonReplay: replays.abandonReplay,
  hasTakenAll: replays.hasTakenAll,
  hasLasted,
  judge,
  judgeLedger,
  resumePosition,
  isTornSince,
  growsTopics: true,
  cutBelow,
  comparesOnResume: true,
  comparesBatches: true,
  readersSeeOtherEvents: true,
  documentBeforeEnds: true,
  batchesCarryIdentity: true,
  identityAfterEnds: true,
  writesLost: true,
  writesNone: true,
  notesGaps: true,
  leavesObjects: true,
  sealsInOrder: true,
  comparesEachEntry: true,
  looksAtEachStamp: true,
  dropsWhatFollows: true,
  settlesBeforeLooking: true,
  ledgerBeforeGivingUp: true,
  parksAlone: true,
  triesDamagedAgain: true,
  readsOwnTopic: true,
  ledgerRowMade: true,
  newerReleaseBeside: false,
  looksAtMark: true,
};
