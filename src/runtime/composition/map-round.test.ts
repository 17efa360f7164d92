import { expect, test } from 'vitest';
import { fetchPartitionBytes } from '../../adapters/kafka/config.ts';
import { mapRound } from './map-round.ts';

test('a round that takes all that Kafka gives of one partition at a time does not wait for more', () => {
  // What a fetch gives ends before the batch that would pass its limit, and a part of it is headers.
  expect(mapRound.fewBytes).toBeLessThan(fetchPartitionBytes / 2);
  expect(mapRound.fewBytes).toBeLessThan(mapRound.pollBytes / 2);
});
