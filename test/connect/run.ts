/**
 * Kafka Connect delivers while the product is stopped and killed: `npm run connect -- --records 100000 --stops 10`;
 * `--worker-kills 2` kills the worker, too.
 */
import { scriptOptions } from '../support/script-options.ts';
import { whyNoConnect } from '../support/connect.ts';
import { openConnectedProduct } from './connected-product.ts';
import { deliveryRun } from './delivery-run.ts';

const help = `npm run connect -- [--records 100000] [--stops 10] [--worker-kills 0] [--file clescot-lines.json] [--away 2000]

Kafka Connect delivers while the product is stopped and killed; then counts.

  --records       how many it delivers
  --stops         how often the product is stopped or killed, in turn
  --worker-kills  how often the worker of Kafka Connect is killed
  --file          of the connectors in test/connect
  --away          milliseconds for which the product is away`;

const values = scriptOptions(help, {
  records: { type: 'string', default: '100000' },
  stops: { type: 'string', default: '10' },
  'worker-kills': { type: 'string', default: '0' },
  file: { type: 'string', default: 'clescot-lines.json' },
  away: { type: 'string', default: '2000' },
});
const productStops = Array.from({ length: Number(values.stops) }, (_, at) => (at % 2 === 0 ? 'SIGTERM' : 'SIGKILL'));
const workerStops = Array.from({ length: Number(values['worker-kills']) }, () => 'worker' as const);
const say = (line: string): void => console.log(line);
const missing = await whyNoConnect();
if (missing !== undefined) throw new Error(missing);
await using connected = await openConnectedProduct();
const { progress, ...report } = await deliveryRun(connected, {
  file: values.file,
  records: Number(values.records),
  stops: [...productStops, ...workerStops],
  awayMs: Number(values.away),
  say,
});
console.log({ ...report, missing: report.missing.length, totals: progress.totals });
if (report.missing.length > 0 || progress.totals.difference !== 0) throw new Error('records are missing');
