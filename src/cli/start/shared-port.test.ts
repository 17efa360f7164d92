import { expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { roles } from '../../config/topology/role.ts';
import { checkPorts } from './shared-port.ts';

const isRefused = (environment: Readonly<Record<string, string>>, of: Parameters<typeof checkPorts>[1]): boolean => {
  try {
    checkPorts(parseConfig(environment, '/'), of);
    return false;
  } catch {
    return true;
  }
};
const same = { MILLRACE_ADMIN_PORT: '7999', MILLRACE_INGEST_PORT: '7999', MILLRACE_OPS_PORT: '7999' };

it('two listeners of one process need two ports, unless the ports are free ones or the addresses differ', () => {
  expect(isRefused({}, roles)).toBe(false);
  expect(isRefused(same, roles)).toBe(true);
  expect(isRefused(same, ['ingest'])).toBe(true);
  expect(isRefused({ ...same, MILLRACE_INGEST_PORT: '7000' }, roles)).toBe(false);
  expect(isRefused({ MILLRACE_ADMIN_PORT: '0', MILLRACE_INGEST_PORT: '0' }, roles)).toBe(false);
  expect(isRefused({ ...same, MILLRACE_INGEST_HOST: '127.0.0.2' }, roles)).toBe(false);
  expect(isRefused({ ...same, MILLRACE_INGEST_HOST: 'localhost' }, roles)).toBe(true);
  expect(isRefused({ ...same, MILLRACE_INGEST_HOST: '::' }, roles)).toBe(true);
});

it('a port of OTLP over gRPC that somebody set is one more, and its usual one keeps nobody from starting', () => {
  expect(isRefused({ MILLRACE_OTLP_GRPC_PORT: '7000' }, roles)).toBe(true);
  expect(isRefused({ MILLRACE_OTLP_GRPC_PORT: '8000' }, roles)).toBe(true);
  expect(isRefused({ MILLRACE_OTLP_GRPC_PORT: '8000' }, ['admin', 'map'])).toBe(false);
  expect(isRefused({ MILLRACE_OTLP_GRPC_PORT: '0' }, roles)).toBe(false);
  expect(isRefused({ MILLRACE_INGEST_PORT: '4317' }, roles)).toBe(false);
});

it('a listener that the roles do not have shares nothing', () => {
  expect(isRefused(same, ['admin', 'map'])).toBe(false);
  expect(isRefused(same, ['map', 'stage'])).toBe(false);
  expect(isRefused({ ...same, MILLRACE_OPS_PORT: '8001' }, ['ingest'])).toBe(false);
});
