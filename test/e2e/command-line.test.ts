import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(() => installation[Symbol.asyncDispose]());

/** Runs a command on the process; its words are apart by blanks. */
function millrace(line: string, stdin = ''): Promise<CommandRun> {
  const env = { MILLRACE_URL: installation.process.admin, MILLRACE_TOKEN: rootToken };
  return runMillrace(line.split(' '), { env, stdin });
}

/** What it prints; rejects when it fails. */
async function printed(line: string, stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await millrace(line, stdin);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return stdout;
}

async function shopWithOrders(sourceId: string): Promise<void> {
  await printed(`source create ${sourceId}`);
  await printed(`sink create ${sourceId} orders --table in.c-${sourceId}.orders --column id:uuid body:body`);
}

async function send(sourceId: string, events: string): Promise<void> {
  await eventually(() => printed(`send - --source ${sourceId}`, events));
  await printed(`flush ${sourceId}`);
}

describe('the commands on a running process', () => {
  it('D7: what is deleted is listed, and comes back; what is deleted for good does not, nor do its tables', async () => {
    await shopWithOrders('life');
    await send('life', '1\n2');
    await printed('sink delete life orders');
    expect(await printed('sink list --deleted')).toMatch(/^life +orders +in\.c-life\.orders +\S+Z +root token$/m);
    expect(await printed('sink undelete life orders')).toBe('Sink has been undeleted successfully.\n');
    await printed('source delete life');
    expect(await printed('source list --deleted')).toMatch(/^life +http +life +\S+Z +root token$/m);
    expect(await printed('source undelete life')).toBe('Source has been undeleted successfully.\n');
    await send('life', '3');
    const refused = await millrace('source delete life --cascade');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^ {2}sink orders\n {2}table in\.c-life\.orders with 3 rows$/m);
    const gone = await millrace('source delete life --cascade --yes');
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('have been deleted.') as string });
    expect(await printed('table list')).not.toContain('in.c-life.orders');
    expect(await millrace('source undelete life')).toMatchObject({ code: 1 });
  });

  it('D7: both URLs take events during the overlap of a rotation', async () => {
    await shopWithOrders('secret');
    const urlOf = async (line: string): Promise<string> => /^url +(.*)$/m.exec(await printed(line))?.[1] ?? '';
    const old = await urlOf('source show secret');
    const fresh = await urlOf('source rotate-secret secret --overlap 1h');
    expect(fresh).not.toBe(old);
    expect(await printed('source show secret')).toMatch(/^old url +valid until \S+Z$/m);
    for (const url of [old, fresh]) await eventually(() => printed(`send - --to ${url}`, '1'));
    expect(await printed('source rotate-secret secret')).toMatch(/^old url +not valid any more$/m);
  });

  it('a rollback brings back what a version defined, and is a version itself', async () => {
    await shopWithOrders('past');
    await printed('source update past --description Orders');
    const key = 'storage.level.staging.upload.trigger.interval';
    await printed(`sink settings set past orders ${key}=5s`);
    expect(await printed('sink versions past orders 2')).toMatch(new RegExp(`^setting 1 +${key}=5s$`, 'm'));
    await printed('source rollback past 1');
    await printed('sink rollback past orders 1');
    expect(await printed('source versions past')).toMatch(
      /^ +1 +\S+Z +root token +New source\.\n +2 .*\n +3 +\S+Z +root token +Rollback to version "1"\.$/m,
    );
    expect(await printed('source show past')).not.toContain('description');
    const settings = JSON.parse(await printed('sink settings show past orders --json')) as readonly object[];
    expect(settings).toContainEqual(expect.objectContaining({ key, inheritedFrom: 'default' }));
  });

  it('statistics count what is imported, in total and by import, until they are cleared', async () => {
    await shopWithOrders('numbers');
    await send('numbers', '1\n2\n3');
    expect(await printed('sink statistics numbers orders')).toMatch(/^target +3 +0 +\d+ +\S+Z +\S+Z\ntotal +3 +0 /m);
    expect(await printed('sink imports numbers orders')).toMatch(/^ +1 +\S+Z +loaded +3 +0 /m);
    expect(await printed('sink files numbers orders')).toMatch(/^imported +\S+Z +3 +0 /m);
    expect(await printed('sink files numbers orders --failed --json')).toBe('[]\n');
    expect(await printed('source clear-statistics numbers')).toBe('Statistics have been cleared.\n');
    expect(await printed('sink statistics numbers orders')).toMatch(/^level .*\ntotal +0 +0 +0\n$/);
    expect(await printed('progress numbers')).toMatch(/^numbers\/orders +3 +3 /m);
  });
});
