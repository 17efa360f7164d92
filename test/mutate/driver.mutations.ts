import type { Mutation } from './mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'sockets that the driver of Kafka has forgotten end with it',
    file: 'src/adapters/kafka/driver-sockets.ts',
    from: 'for (const socket of this.#open) this.#end(socket);',
    to: '',
    test: { file: 'src/adapters/kafka/driver-sockets.test.ts', title: 'D10: those that the driver has forgotten end' },
  },
  {
    rule: 'so do the timers of its forgotten connections',
    file: 'src/adapters/kafka/driver-sockets.ts',
    from: "socket.destroy(new Error('the log is closed'));",
    to: 'socket.destroy();',
    test: {
      file: 'src/adapters/kafka/driver-sockets.test.ts',
      title: 'D10: a connection that the driver has forgotten',
    },
  },
  {
    rule: 'the driver opens no sockets after its end',
    file: 'src/adapters/kafka/driver-sockets.ts',
    from: 'if (this.#isEnded) this.#end(socket);',
    to: '',
    test: {
      file: 'src/adapters/kafka/driver-sockets.test.ts',
      title: 'D10: those that the driver opens after its end',
    },
  },
  {
    rule: 'a request of appends that nobody waits for keeps no process',
    file: 'src/adapters/kafka/append-queue.ts',
    from: 'if (isGivenUp || !lane.hasWork) this.#runs.get(lane)?.leave();',
    to: '',
    test: { file: 'src/adapters/kafka/append-queue.test.ts', title: 'D10: keep nobody who leaves' },
  },
  {
    rule: 'a leader of an older epoch is not believed',
    file: 'src/adapters/kafka/newest-leaders.ts',
    from: 'if (epoch <= (epochs[partition] ?? -1)) continue;',
    to: 'if (epochs[partition] !== undefined) continue;',
    test: { file: 'src/adapters/kafka/newest-leaders.test.ts', title: 'D2: are those of the newest epoch' },
  },
  {
    rule: 'a leader that was heard of is believed before one of an older epoch',
    file: 'src/adapters/kafka/topic-directory.ts',
    from: 'withNewestLeaders(topic, this.#newest.get(topic.name))',
    to: 'topic',
    test: { file: 'src/adapters/kafka/topic-directory.test.ts', title: 'D2: a leader that hung and goes on' },
  },
];
