import type { Family } from '../../route/family.ts';
import { countLettersRoute, listLettersRoute, purgeLettersRoute, showLettersRoute } from './dead-letters.ts';
import { getReplayRoute, replayLettersRoute, stopReplayRoute, tryReplayRoute } from './replay.ts';

/** Events that a mapping refused. */
export const lettersFamily: Family = {
  name: 'letters',
  routes: [
    listLettersRoute,
    purgeLettersRoute,
    countLettersRoute,
    showLettersRoute,
    replayLettersRoute,
    tryReplayRoute,
    getReplayRoute,
    stopReplayRoute,
  ],
};
