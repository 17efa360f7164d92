import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly isFinished: boolean;
  readonly attempt: number;
  readonly result: {
    readonly message: string;
    readonly variables: unknown;
    readonly output: { readonly tables: unknown };
  };
}

const start = (): Promise<Installation> =>
  Installation.start({ env: { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' } });

async function call<Answer>({ process }: Installation, [method, path]: readonly [string, string], body?: object) {
  const response = await fetch(process.admin + path, {
    method,
    headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** A configuration with a variable, its values, and a secret. */
async function configure(product: Installation, api: ItemApi): Promise<void> {
  const storage = '/v2/storage/components';
  const { parameters } = itemConfiguration(api.url, { jobs: [{ endpoint: '{{what}}' }], '#key': 'open sesame' }) as {
    readonly parameters: object;
  };
  await call(product, ['POST', `${storage}/variables/configs`], {
    configurationId: 'names',
    name: 'Names',
    configuration: { variables: [{ name: 'what', type: 'string' }] },
  });
  await call(product, ['POST', `${storage}/variables/configs/names/rows`], {
    rowId: 'usual',
    configuration: { values: [{ name: 'what', value: 'items' }] },
  });
  const made = await call<object>(product, ['POST', `${storage}/generic-extractor/configs`], {
    configurationId: 'shop',
    name: 'Shop',
    configuration: { parameters, variables_id: 'names', variables_values_id: 'usual' },
  });
  expect(JSON.stringify(made)).not.toContain('open sesame');
}

async function ended(product: Installation, id: string): Promise<Job> {
  let job: Job | undefined;
  const look = async (): Promise<void> => {
    job = await call<Job>(product, ['GET', `/jobs/${id}`]);
    expect(job.isFinished).toBe(true);
  };
  await eventually(look);
  if (job === undefined) throw new Error('the job was not looked at');
  return job;
}

async function numbersIn(product: Installation, tableId: string): Promise<readonly number[]> {
  const path = `/v2/storage/tables/${tableId}/data-preview?format=json&limit=1000`;
  const { rows } = await call<{ rows: { columnName: string; value: string }[][] }>(product, ['GET', path]);
  const numbers = rows.map((cells) => Number(cells.find(({ columnName }) => columnName === 'id')?.value));
  return numbers.toSorted((a, b) => a - b);
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe('a job of a started product', () => {
  it('runs a stored configuration with its variables and secrets, and its table has each item once', async () => {
    await using api = await ItemApi.open(35);
    await using product = await start();
    await configure(product, api);
    const { id, status } = await call<Job>(product, ['POST', '/jobs'], {
      component: 'generic-extractor',
      config: 'shop',
    });
    expect(status).toBe('processing');
    const job = await ended(product, id);
    expect(job).toMatchObject({
      status: 'success',
      result: {
        message: 'Component processing finished.',
        variables: [{ name: 'what', value: 'items' }],
        output: { tables: [{ id: 'in.c-shop.items', rowsCount: 35 }] },
      },
    });
    expect(await numbersIn(product, 'in.c-shop.items')).toEqual(upTo(35));
    const log = await call<{ readonly message: string }[]>(product, ['GET', `/v2/storage/events?runId=${id}`]);
    expect(log.map(({ message }) => message)).toContain('Replaced values for variables: what');
    expect(JSON.stringify([job, log])).not.toContain('open sesame');
  });

  it('runs by the requests of the seed as they are written there: forms for configurations, values with the job', async () => {
    await using api = await ItemApi.open(12);
    await using product = await start();
    const create = async (component: string, name: string, configuration: object): Promise<string> => {
      const fields = new URLSearchParams({ name, configuration: JSON.stringify(configuration) });
      const headers = { 'X-StorageApi-Token': rootToken };
      const path = `${product.process.admin}/v2/storage/components/${component}/configs`;
      const response = await fetch(path, { method: 'POST', headers, body: fields });
      const made = (await response.json()) as { readonly id: string };
      expect([response.status, made]).toEqual([201, expect.objectContaining({ name, description: '' })]);
      return made.id;
    };
    const variables = {
      variables: [
        { name: 'size', type: 'int' },
        { name: 'what', type: 'string' },
      ],
    };
    const pagination = { method: 'offset', limit: '{{size}}' };
    const parameters = {
      api: { baseUrl: api.url, pagination, http: { headers: { 'x-key': '{{vault.key}}' } } },
      config: { outputBucket: 'seed', jobs: [{ endpoint: '{{what}}' }] },
    };
    for (const [branch, value] of [
      ['', 'of the project'],
      ['branch/default/', 'of the branch'],
    ])
      await call(product, ['POST', `/v2/storage/${branch}vault/variables`], { name: 'key', value });
    const config = await create('generic-extractor', 'Items', {
      parameters,
      variables_id: await create('variables', 'Variables', variables),
    });
    const values = [
      { name: 'size', value: '5' },
      { name: 'what', value: 'items' },
    ];
    const { id, status } = await call<Job>(product, ['POST', '/jobs'], {
      component: 'generic-extractor',
      config,
      mode: 'run',
      variableValuesData: { values },
    });
    expect(status).toBe('processing');
    expect(await ended(product, id)).toMatchObject({ status: 'success', result: { variables: values } });
    expect(await numbersIn(product, 'in.c-seed.items')).toEqual(upTo(12));
    expect(new Set(api.keys)).toEqual(new Set(['of the branch']));
    const log = await call<{ readonly message: string }[]>(product, ['GET', `/v2/storage/events?runId=${id}`]);
    expect(log.map(({ message }) => message)).toContain('Replaced values for variables: vault.key, size, what');
  });

  it('with a configuration of its own shows no secret of it, and asks with the secret', async () => {
    await using api = await ItemApi.open(3);
    await using product = await start();
    const http = { headers: { 'x-key': { attr: '#key' } } };
    const configured = itemConfiguration(api.url, { '#key': 'open sesame', http });
    const request = { component: 'generic-extractor', configData: configured };
    const made = await call<Job>(product, ['POST', '/jobs'], request);
    const job = await ended(product, made.id);
    expect(job.status).toBe('success');
    expect(JSON.stringify([made, job])).not.toContain('open sesame');
    expect(api.keys).toContain('open sesame');
  });

  it('J11: shows no value of a variable that stands at a key with #, and asks with it, also after its process was killed', async () => {
    await using api = await ItemApi.open(35);
    await using product = await start();
    const http = { headers: { 'x-key': { attr: '#key' } } };
    const { parameters } = itemConfiguration(api.url, {
      jobs: [{ endpoint: '{{what}}' }],
      '#key': '{{word}}',
      http,
    }) as { readonly parameters: object };
    await call(product, ['POST', '/v2/storage/components/variables/configs'], {
      configurationId: 'names',
      name: 'Names',
      configuration: { variables: ['what', 'word'].map((name) => ({ name, type: 'string' })) },
    });
    await call(product, ['POST', '/v2/storage/components/generic-extractor/configs'], {
      configurationId: 'shop',
      name: 'Shop',
      configuration: { parameters, variables_id: 'names' },
    });
    const gate = api.hold(20);
    const values = [
      { name: 'what', value: 'items' },
      { name: 'word', value: 'open sesame' },
    ];
    const shown = [
      { name: 'what', value: 'items' },
      { name: 'word', value: '[hidden]' },
    ];
    const asked = { component: 'generic-extractor', config: 'shop', variableValuesData: { values } };
    const made = await call<Job>(product, ['POST', '/jobs'], asked);
    expect(made).toMatchObject({ variableValuesData: { values: shown } });
    await gate.reached;
    await product.stop('SIGKILL');
    gate.open();
    await product.start();
    const job = await ended(product, made.id);
    expect(job).toMatchObject({
      status: 'success',
      attempt: 2,
      variableValuesData: { values: shown },
      result: { variables: shown },
    });
    expect(new Set(api.keys)).toEqual(new Set(['open sesame']));
    const log = await call(product, ['GET', `/v2/storage/events?runId=${made.id}`]);
    expect(JSON.stringify([made, job, log])).not.toContain('sesame');
    expect(await numbersIn(product, 'in.c-shop.items')).toEqual(upTo(35));
  });

  it('D2, D3: whose process is killed while it runs is taken over by the next one, and loads its table once', async () => {
    await using api = await ItemApi.open(35);
    await using product = await start();
    await configure(product, api);
    const gate = api.hold(20);
    const { id } = await call<Job>(product, ['POST', '/jobs'], { component: 'generic-extractor', config: 'shop' });
    await gate.reached;
    await product.stop('SIGKILL');
    gate.open();
    await product.start();
    expect(await ended(product, id)).toMatchObject({ status: 'success', attempt: 2 });
    expect(await numbersIn(product, 'in.c-shop.items')).toEqual(upTo(35));
  });

  it('ends within moments when it is killed, and nothing of it is loaded', async () => {
    await using api = await ItemApi.open(35);
    await using product = await start();
    await configure(product, api);
    const gate = api.hold(20);
    const { id } = await call<Job>(product, ['POST', '/jobs'], { component: 'generic-extractor', config: 'shop' });
    await gate.reached;
    await call(product, ['POST', `/jobs/${id}/kill`]);
    expect(await ended(product, id)).toMatchObject({ status: 'terminated' });
    gate.open();
    await expect(numbersIn(product, 'in.c-shop.items')).rejects.toThrow('404');
  });
});
