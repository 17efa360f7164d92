import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recorded } from '../../../test/support/otlp-recorder.ts';
import { sentRequests } from '../../../test/support/otlp-requests.ts';
import { readJson } from './json-request.ts';
import { readProtobuf } from './protobuf-request.ts';

describe.each(['logs', 'metrics', 'traces'] as const)('a request of %s', (signal) => {
  test('is the same in protobuf and in JSON, however its sender writes it', () => {
    fc.assert(
      fc.property(sentRequests(signal), ({ protobuf, json }) => {
        const ofProtobuf = recorded((visitor) => readProtobuf(protobuf, signal, visitor));
        const ofJson = recorded((visitor) => readJson(Buffer.from(json), signal, visitor));
        expect(ofJson).toEqual(ofProtobuf);
      }),
      { numRuns: 150 },
    );
  });
});
