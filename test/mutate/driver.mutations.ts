import type { Mutation } from './mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'sockets that the driver of Kafka has forgotten end with it',
    file: 'src/adapters/kafka/driver-sockets.ts',
    from: 'for (const socket of this.#open) socket.destroy();',
    to: '',
    test: { file: 'src/adapters/kafka/driver-sockets.test.ts', title: 'D10: those that the driver has forgotten end' },
  },
];
