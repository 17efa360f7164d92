import { never } from '../support/faults/delivery-world.ts';
import { remadeTopics } from '../contract/remade-topics.contract.ts';
import { onKafka, openHastyLog } from '../support/on-kafka.ts';

await onKafka((kafka) => {
  const open = () => openHastyLog(kafka.brokers);

  remadeTopics('Kafka', async () => {
    await using log = open();
    for (const prefix of ['source.', 'sink.', 'millrace.']) {
      for (const topic of await log.listTopics(prefix, never)) await log.deleteTopic(topic, never);
    }
    return open;
  });
});
