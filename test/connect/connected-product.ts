import { startConnect, type ConnectWorker } from '../support/connect.ts';
import { placeholders } from '../support/connector-configuration.ts';
import { Installation } from '../support/installation.ts';
import { openKafkaForTests } from '../support/kafka.ts';
import { openKafkaTopics, type KafkaTopics } from '../support/kafka-topics.ts';
import type { Shop } from '../support/shop.ts';

/** A product in one process with one source, and a Kafka with a Connect worker that knows this source. */
export interface ConnectedProduct extends AsyncDisposable {
  readonly product: Installation;
  readonly shop: Shop;
  readonly secret: string;
  readonly topics: KafkaTopics;
  readonly connect: ConnectWorker;
}

export async function openConnectedProduct(): Promise<ConnectedProduct> {
  await using opening = new AsyncDisposableStack();
  const kafka = opening.use(await openKafkaForTests());
  const topics = opening.use(await openKafkaTopics(kafka.brokers));
  const product = opening.use(await Installation.start());
  const shop = product.shop();
  await shop.create([], { uploadCount: 10_000 });
  const env = placeholders(await shop.url());
  const connect = opening.use(await startConnect({ brokers: kafka.brokers, env }));
  const opened = opening.move();
  return {
    product,
    shop,
    topics,
    connect,
    secret: env.ORDERS_SECRET,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
