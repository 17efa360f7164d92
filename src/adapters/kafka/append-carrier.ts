import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import type { AppendCarrier } from './append-queue.ts';
import type { KafkaConnections } from './client.ts';
import { probeAnswerMs } from './config.ts';
import type { LeaderRequests } from './leader-requests.ts';
import type { Producers } from './producers.ts';
import { askForTopics, type TopicDirectory } from './topic-directory.ts';

interface CarrierParts {
  readonly producers: Producers;
  readonly requests: LeaderRequests;
  readonly directory: TopicDirectory;
  /** Not those of produce requests, which wait for replicas. */
  readonly connections: KafkaConnections;
}

/** What the queue of appends needs, of real brokers. */
export function appendCarrier({ producers, requests, directory, connections }: CarrierParts): AppendCarrier {
  return {
    encoder: (at) => producers.encoder(at),
    counted: (at, records) => producers.counted(at, records),
    forget: (at) => producers.forget(at),
    send: (turn) => requests.send(turn),
    forgetLeader: ({ topic }) => directory.forget(topic),
    isWell: async (at) => {
      directory.forget(at.topic);
      const asked = (async () => {
        const broker = await connections.broker(await directory.leader(at));
        await askForTopics(broker, [at.topic]);
        return true;
      })().catch((thrown: unknown) => thrown instanceof MillraceError && thrown.code === 'log.topicNotFound');
      return Promise.race([asked, sleep(probeAnswerMs, false, { ref: false })]);
    },
  };
}
