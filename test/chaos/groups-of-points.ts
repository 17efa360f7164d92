import type { CrashPoint } from './crash-points.ts';

/** Of points that are alike the short form takes one, and always one of a job. Between them the two lists have each point once. */
type Groups = readonly (readonly CrashPoint[])[];

/** Where a process is killed. */
export const pointsOfKills: Groups = [
  ['upload.seal', 'import.load', 'replay.forget', 'sink.switch', 'sink.purge'],
  ['job.run', 'job.load', 'job.end'],
];

/** Where the power is cut: where the most had to be synced before. */
export const pointsOfCuts: Groups = [
  ['log.commit', 'sink.commit'],
  ['seal.import', 'import.forget', 'replay.load', 'sink.begin'],
  ['job.keep'],
];
