import type { FaultName } from './fault.ts';

/** Of faults that are alike the short form takes one kind. */
export const groupsOfFaults: readonly (readonly FaultName[])[] = [
  ['kill a process', 'freeze a process'],
  ['kill postgres', 'spoil the way to postgres', 'kill s3', 'spoil the way to s3'],
  ['kill one broker', 'kill two brokers', 'kill all brokers'],
  ['freeze a broker', 'move leaders', 'spoil the way to one broker', 'spoil the way to all brokers'],
  ['one more process'],
];
