import { MongoClient, type MongoClientOptions } from 'mongodb';
import { MillraceError } from '../../core/millrace-error.ts';
import type { HiddenText } from '../hidden-text.ts';
import type { MongodbServerOptions } from './config.ts';

/**
 * The driver, connected to nothing yet. Writes are acknowledged by a majority with their journal, reads go to the primary;
 * nothing is repeated by the driver, because a write whose answer was lost may have happened. `config.invalid`.
 */
export function createMongodbClient(options: MongodbServerOptions): MongoClient {
  const { connectTimeoutMs = 5000, operationTimeoutMs = 15_000, maxConnections = 20 } = options;
  const settings: MongoClientOptions = {
    appName: options.applicationName ?? 'millrace',
    maxPoolSize: maxConnections,
    serverSelectionTimeoutMS: connectTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    // Later than the server's own limit: an answer says more than silence does.
    socketTimeoutMS: operationTimeoutMs + 5000,
    waitQueueTimeoutMS: operationTimeoutMs,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: operationTimeoutMs },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: false,
    retryReads: false,
    ...(options.caFile === undefined ? {} : { tls: true, tlsCAFile: options.caFile }),
  };
  checkUrl(options.url);
  const client = makeClient(options.url, settings);
  checkPromises(client);
  return client;
}

function makeClient(url: HiddenText, settings: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url.reveal(), settings);
  } catch (thrown) {
    // The driver's message may repeat a part of the URL.
    const reason = thrown instanceof Error ? thrown.name : typeof thrown;
    throw invalid(
      `cannot be used (${reason}); it is mongodb://user:password@host:port, special characters percent-encoded`,
    );
  }
}

/** The driver lets some parameters of the URL overrule the settings. */
function checkPromises({ writeConcern, readConcern, readPreference }: MongoClient): void {
  const lowered = [
    ...(writeConcern?.w === 'majority' ? [] : ['w']),
    ...(writeConcern?.journal === true ? [] : ['journal']),
    ...(readConcern?.level === 'majority' ? [] : ['readConcernLevel']),
    ...(readPreference.mode === 'primary' ? [] : ['readPreference']),
  ];
  for (const name of lowered) throw invalid(`has the parameter "${name}", which the product does not allow`);
}

/** Parameters that switch the checks off, or would make reads and writes promise less. */
const refusedParameters = [
  'tlsInsecure',
  'tlsAllowInvalidCertificates',
  'tlsAllowInvalidHostnames',
  'w',
  'readPreference',
];

function checkUrl(url: HiddenText): void {
  const text = url.reveal();
  if (!/^mongodb(\+srv)?:\/\//.test(text)) throw invalid('is not mongodb://user:password@host:port');
  const parameters = new URLSearchParams(text.includes('?') ? text.slice(text.lastIndexOf('?')) : '');
  for (const name of parameters.keys())
    if (refusedParameters.some((refused) => refused.toLowerCase() === name.toLowerCase()))
      throw invalid(`has the parameter "${name}", which the product does not allow`);
}

function invalid(what: string): MillraceError {
  return new MillraceError('config.invalid', `the URL of MongoDB ${what}`);
}
