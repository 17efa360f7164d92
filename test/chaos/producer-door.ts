import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { reservedHeaders } from '../../src/core/event.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { chaosEvent, type ChaosEvent } from './event.ts';
import type { Send } from './sender.ts';

/** The topic of the one source of the crash tests. */
export const chaosTopic = 'source.1.chaos';

/** Headers of an event as a producer writes them, `name, value, name, value …`. */
export function producedHeaders({ headers, signal }: ChaosEvent): readonly string[] {
  return [...Object.entries(headers).flat(), ...(signal === undefined ? [] : [reservedHeaders.signal, signal])];
}

/** What a Kafka producer is to a cluster: appends the events whose numbers it is told to the topic of the source. */
export async function openProducerDoor(port: number, log: EventLog): Promise<Server> {
  const append = async (message: IncomingMessage): Promise<void> => {
    const event = chaosEvent(Number((await buffer(message)).toString()));
    const partitions = (await log.ranges(chaosTopic, { signal })).length;
    const record = { value: Buffer.from(event.body), headers: producedHeaders(event), timestamp: Date.now() };
    await log.append({ topic: chaosTopic, partition: event.number % partitions }, [record], { signal });
  };
  const { signal } = new AbortController();
  const server = createServer((message, response) => {
    append(message).then(
      () => response.end('OK'),
      (thrown: unknown) => response.writeHead(500).end(String(thrown)),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The other side of the door. */
export function throughProducerDoor(port: number): Send {
  return async ({ number }) => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        body: String(number),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (thrown) {
      return { status: undefined, text: String(thrown) };
    }
  };
}
