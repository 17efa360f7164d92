import { openHttpClient } from '../../adapters/http-client/http-client.ts';
import type { ExtractionRun } from '../../extractor/extraction.ts';
import type { Spool } from '../../extractor/tables/spool.ts';
import type { JsonValue } from '../../extractor/values/json-value.ts';
import type { AskedExtraction } from '../product.ts';
import { systemClock } from '../system-clock.ts';
import { hiddenTexts } from './hidden-texts.ts';

/** What the extractor gets for a configuration that a command has read. */
export function openRun({ config, configuration, state, tell }: AskedExtraction, spool: Spool): ExtractionRun {
  const asked = jsonOf(configuration);
  const hide = hiddenTexts(asked);
  return {
    configuration: asked,
    state: state === undefined ? undefined : jsonOf(state),
    openHttp: (settings) => openHttpClient({ ...settings, allowedHosts: config.extractor.allowedHosts }),
    clock: systemClock,
    random: Math.random,
    log: {
      debug: (text) => tell({ level: 'debug', message: hide(text) }),
      info: (text) => tell({ level: 'info', message: hide(text) }),
      warning: (text) => tell({ level: 'warning', message: hide(text) }),
    },
    spool,
  };
}

/** What `parseExactJsonText` gave has no other values. */
export function jsonOf(value: unknown): JsonValue {
  return value as JsonValue;
}
