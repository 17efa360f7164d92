import { MongoServerError } from 'mongodb';
import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { fromMongodb } from '../../adapters/mongodb/errors.ts';
import { fromPostgres } from '../../adapters/postgres/errors.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { startPatiently } from './start-patiently.ts';

const place = { host: '127.0.0.1', port: 0 };
const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });

function postgresSays(sqlState: string): Error {
  const error = new DatabaseError('no', 2, 'error');
  error.code = sqlState;
  return fromPostgres(error, 'table.unavailable');
}

/** Starts with attempts that fail in this way one after the other, and then succeed; how many it took. */
async function attemptsUntilUp(failures: readonly unknown[], signal = new AbortController().signal): Promise<number> {
  const clock = new FakeClock();
  let attempts = 0;
  const attempt = async (listening: () => Promise<void>): Promise<number> => {
    attempts += 1;
    if (attempts <= failures.length) throw failures[attempts - 1];
    await listening();
    return attempts;
  };
  let isOver = false;
  const starting = startPatiently({ attempt, place, telemetry, clock, random: () => 0.5, signal }).finally(
    () => (isOver = true),
  );
  starting.catch(() => undefined);
  await eventually(() => {
    clock.advance(10_000);
    expect(isOver).toBe(true);
  });
  return starting;
}

describe('a start while servers are away', () => {
  it('is tried again until every server answers', async () => {
    const starting = postgresSays('57P03');
    const full = postgresSays('53300');
    const away = fromMongodb(new Error('connect ECONNREFUSED 127.0.0.1:27017'));
    const failedClosing = new SuppressedError(new Error('closing failed, too'), away);
    expect(await attemptsUntilUp([starting, full, away, failedClosing])).toBe(5);
  });

  it.each([
    ['a wrong password', postgresSays('28P01')],
    ['a database that is not there', postgresSays('3D000')],
    ['a missing right', postgresSays('42501')],
    ['a wrong password of MongoDB', fromMongodb(new MongoServerError({ message: 'no', code: 18 }))],
    [
      'a certificate that is not trusted',
      fromPostgres(Object.assign(new Error('no'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'catalog.unavailable'),
    ],
    ['a wrong configuration', new MillraceError('config.invalid', 'no')],
    ['a bug', new TypeError('no')],
  ])('fails at once for what waiting does not mend: %s', async (_what, failure) => {
    await expect(attemptsUntilUp([failure])).rejects.toBe(failure);
  });

  it('ends with the reason of the signal when the process is told to leave', async () => {
    const leaving = AbortSignal.abort();
    await expect(attemptsUntilUp([postgresSays('57P03')], leaving)).rejects.toBe(leaving.reason);
  });
});
