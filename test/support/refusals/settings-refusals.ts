import { sinks, sources, type Refusal } from './refusal.ts';

/** What is wrong with a change of settings. */
export const settingsRefusals: readonly Refusal[] = [
  {
    rule: 'a setting out of range (A5)',
    at: `PATCH ${sinks}/orders/settings`,
    body: { settings: [{ key: 'storage.level.target.import.trigger.interval', value: '1s' }] },
    status: 400,
    error: 'badRequest',
    message: /storage\.level\.target\.import\.trigger\.interval.*30s/,
  },
  {
    rule: 'a setting twice',
    at: `PATCH ${sinks}/orders/settings`,
    body: {
      settings: [
        { key: 'storage.level.staging.upload.trigger.count', value: 1 },
        { key: 'storage.level.staging.upload.trigger.count', value: 2 },
      ],
    },
    status: 400,
    error: 'badRequest',
    message: /is defined multiple times/,
  },
  {
    rule: 'a protected setting',
    at: `PATCH ${sources}/shop/settings`,
    body: { settings: [{ key: 'storage.level.local.encoding.compression.gzip.blockSize', value: '1MB' }] },
    status: 403,
    error: 'forbidden',
    message: 'Cannot modify protected keys: "storage.level.local.encoding.compression.gzip.blockSize".',
  },
];
