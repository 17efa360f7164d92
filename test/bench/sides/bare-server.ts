/** What ingest is measured against: `node:http` that reads the body and answers `OK`, in a process that ends with its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => response.end('OK'));
});
server.listen({ host: '127.0.0.1', port: 0 }, () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
