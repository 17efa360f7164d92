/** What a list of jobs can be ordered by. */
export const jobOrders = [
  'id',
  'runId',
  'status',
  'component',
  'config',
  'createdTime',
  'startTime',
  'endTime',
  'durationSeconds',
] as const;
export type JobOrder = (typeof jobOrders)[number];
