import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { figureOf } from '../figure.ts';
import { rate } from '../rate.ts';
import { spreadOf } from '../statistics.ts';
import { Lab, leave, pause } from './lab.ts';

interface Round {
  readonly one: number;
  readonly two: number;
}

/** Fresh processes in each round: joining the group counts. */
export const twoMapsBench: Bench = {
  meaning: 'two map processes on two partitions against one',
  usual: { rounds: 3, events: 200_000 },
  run: async (options) => {
    await using lab = await Lab.open();
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      options.tell(`round ${round + 1} of ${options.rounds}`);
      rounds.push({
        one: await mapBy(lab, { processes: 1, sourceId: `one${round}`, ...options }),
        two: await mapBy(lab, { processes: 2, sourceId: `two${round}`, ...options }),
      });
    }
    return resultOf(rounds);
  },
};

function resultOf(rounds: readonly Round[]): BenchResult {
  const medianOf = (side: keyof Round): number => spreadOf(rounds.map((round) => round[side])).median;
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ one, two }) => two / one)), {
        what: 'two map processes on two partitions, against one: events/s from ready to the last outcome',
        floor: '–',
        goal: '–',
        sides: `${rate(medianOf('two'), 'events')} of ${rate(medianOf('one'), 'events')}`,
      }),
    ],
  };
}

interface Mapping extends Pick<BenchOptions, 'events'> {
  readonly processes: number;
  readonly sourceId: string;
}

/** Events a second from the moment that all processes are ready. */
async function mapBy(lab: Lab, { processes, sourceId, events }: Mapping): Promise<number> {
  const { sinkTopic, shop } = await lab.filled(sourceId, events, { partitions: 2 });
  const started = await Promise.all(Array.from({ length: processes }, () => lab.cluster.start('map')));
  const began = performance.now();
  while ((await lab.endOf(sinkTopic)) < events) await pause(10);
  const perSecond = events / ((performance.now() - began) / 1000);
  await Promise.all(started.map(leave));
  await shop.api.task('DELETE', shop.path);
  return perSecond;
}
