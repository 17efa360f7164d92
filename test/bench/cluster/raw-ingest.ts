/** A bare HTTP server chained to a raw produce: what ingest in a cluster is measured against. A process of its own, as ingest is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Kafka, logLevel, Partitioners } from 'kafkajs';

const [brokers = '', topic = ''] = process.argv.slice(2);
const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
await producer.connect();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    producer.send({ topic, acks: -1, messages: [{ value: Buffer.concat(chunks), partition: 0 }] }).then(
      () => response.end('OK'),
      () => response.writeHead(503).end(),
    );
  });
});
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ event: 'ready', ingest: `http://127.0.0.1:${port}` }));
});
