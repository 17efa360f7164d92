import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKafka, whereIsKafka, type StartedKafka } from '../../../test/support/kafka.ts';
import { checkKafka } from './check-kafka.ts';
import type { KafkaEventLogOptions } from './config.ts';
import { openKafkaEventLog } from './event-log.ts';
import { identified } from '../../../test/support/identified.ts';

const place = await whereIsKafka();
const run = promisify(execFile);
const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);
const waiting = { signal: new AbortController().signal };
const login = { username: 'millrace', password: 'right-horse' };

describe.skipIf(place.kind !== 'started' || !hasOpenssl)('Kafka with TLS and passwords', () => {
  let kafka: StartedKafka;
  let folder: string;
  let ca: string;
  let strangersCa: string;

  const makeCertificate = async (name: string): Promise<{ key: string; cert: string }> => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    await run('openssl', [...request, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-kafka-tls-'));
    const own = await makeCertificate('broker');
    const keyFile = join(folder, 'broker-both.pem');
    await writeFile(keyFile, own.key + own.cert);
    ca = own.cert;
    strangersCa = (await makeCertificate('stranger')).cert;
    kafka = await startKafka(undefined, { keyFile, ...login });
  });
  afterAll(async () => {
    await kafka[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const options = (changes: Partial<KafkaEventLogOptions> = {}): KafkaEventLogOptions => ({
    brokers: kafka.brokers.split(','),
    clientId: 'millrace-test',
    sessionTimeoutMs: 6000,
    heartbeatMs: 200,
    tls: { ca, rejectUnauthorized: true },
    sasl: { mechanism: 'scram-sha-256', ...login },
    ...changes,
  });

  it.each(['plain', 'scram-sha-256'] as const)('appends and reads, known by %s', async (mechanism) => {
    await using log = openKafkaEventLog(options({ sasl: { mechanism, ...login } }));
    const at = { topic: `secure.${mechanism}`, partition: 0 };
    await log.createTopic({ name: at.topic, partitions: 1 }, waiting);
    expect(await log.append(at, [{ value: Buffer.from('a'), headers: [], timestamp: 1 }], waiting)).toBe(0);
    await using member = await log.join({ group: `secure-${mechanism}`, member: 'reader' }, waiting);
    await member.subscribe([at.topic], waiting);
    while (member.assignment.partitions.length === 0) await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, waiting);
    member.seek(await identified(log, at), 0);
    const batches = [];
    while (batches.length === 0) batches.push(...(await member.poll({ maxBytes: 1000, maxWaitMs: 1000 }, waiting)));
    expect(batches[0]?.records.map(({ offset }) => offset)).toEqual([0]);
  });

  it.each([
    [
      'a wrong password',
      () => ({ sasl: { mechanism: 'scram-sha-256' as const, ...login, password: 'wrong' } }),
      /password|auth/i,
    ],
    ['a certificate of a stranger', () => ({ tls: { ca: strangersCa, rejectUnauthorized: true } }), /certificate/i],
  ])('D9: says quickly and clearly that it met %s', async (_, changes, message) => {
    const wrong = options(changes());
    await using log = openKafkaEventLog(wrong);
    const began = performance.now();
    await expect(log.describeTopic('any', waiting)).rejects.toThrow(message);
    process.stdout.write(`refused after ${Math.round(performance.now() - began)} ms\n`);
    const findings = await checkKafka(wrong, { ...waiting, now: Date.now() });
    expect(findings).toEqual([{ kind: 'bad', about: 'connection', text: expect.stringMatching(message) as string }]);
  });

  it('finds a cluster fit, but for its single broker', async () => {
    const topics = { replication: 1, minInSyncReplicas: 1, maxAppendBytes: 2_000_000 };
    const findings = await checkKafka(options({ topics }), { ...waiting, now: Date.now() });
    const advice = findings.filter(({ kind }) => kind !== 'good');
    expect(advice).toMatchObject([{ kind: 'advice', about: 'durability' }]);
    const good = findings.filter(({ kind }) => kind === 'good').map(({ about }) => about);
    expect(good).toEqual([
      'connection',
      'autoCreate',
      'session',
      'topics',
      'size',
      'compression',
      'append',
      'clock',
      'leftovers',
    ]);
    await using log = openKafkaEventLog(options());
    await expect.poll(() => log.listTopics('millrace-check', waiting)).toEqual([]);
  });

  it('finds what the brokers cannot give: replicas, sessions, a clock', async () => {
    const day = 24 * 3600 * 1000;
    const off = await checkKafka(options({ sessionTimeoutMs: 10 }), { ...waiting, now: Date.now() + day });
    expect(off.filter(({ kind }) => kind !== 'good').map(({ about }) => about)).toEqual([
      'session',
      'durability',
      'clock',
    ]);
    expect(off.find(({ about }) => about === 'clock')?.text).toContain('ahead of');
    const topics = { replication: 3 };
    const few = await checkKafka(options({ topics }), { ...waiting, now: Date.now() });
    expect(few.at(-1)).toMatchObject({
      kind: 'bad',
      about: 'topics',
      text: expect.stringMatching(/replica/i) as string,
    });
  });
});
