import { EventEmitter } from 'node:events';
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { sendError } from './send-error.ts';

/** The level at which the log has what was thrown. */
function levelOf(thrown: unknown): string {
  const said: string[] = [];
  const { log, metrics } = silentTelemetry();
  const heard = { ...log, error: () => said.push('error'), debug: () => said.push('debug') };
  const request = Object.assign(new EventEmitter(), { headers: {}, path: '/v1/branches', method: 'POST' });
  const response = { headersSent: true, destroy: () => undefined };
  const exchange = { request: request as unknown as Request, response: response as unknown as Response };
  sendError({ telemetry: { log: heard, metrics }, random: (length) => randomBytes(length) }, exchange, thrown);
  return said.join();
}

it('a bound that callers reach is no failure of the product in its log', () => {
  expect(levelOf(new MillraceError('trial.busy', 'too many wait'))).toBe('debug');
  expect(levelOf(new MillraceError('task.tooMany', 'too many run'))).toBe('debug');
  expect(levelOf(new MillraceError('catalog.unavailable', 'no answer'))).toBe('error');
  expect(levelOf(new Error('a defect'))).toBe('error');
});
