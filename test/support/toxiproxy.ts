import { lastingPort } from './free-port.ts';
import { eventually } from './eventually.ts';
import { builtProgram, canHave, type GoProgram } from './go-program.ts';
import { startServerProcess } from './server-process.ts';

export const toxiproxy: GoProgram = {
  name: 'toxiproxy',
  module: 'github.com/Shopify/toxiproxy/v2/cmd/server',
  version: 'v2.5.0',
};

/** What goes wrong on a way, as Toxiproxy names it; `downstream` is what comes back from the server. */
export interface Toxic {
  readonly type: 'latency' | 'timeout' | 'reset_peer' | 'limit_data';
  readonly stream: 'upstream' | 'downstream';
  readonly attributes: Readonly<Record<string, number>>;
}

/** A way to one server through the proxy. */
export interface ProxiedWay {
  readonly port: number;
  /** Spoils the way for all connections, those that are there too. Once more replaces nothing: heal first. */
  spoil(toxic: Toxic): Promise<void>;
  /** Cuts what is there and refuses what comes. */
  close(): Promise<void>;
  heal(): Promise<void>;
}

export interface Toxiproxy extends AsyncDisposable {
  way(name: string, serverPort: number): Promise<ProxiedWay>;
}

/** Why there can be none here; undefined when there can. */
export async function whyNoToxiproxy(): Promise<string | undefined> {
  return (await canHave(toxiproxy)) ? undefined : 'no Toxiproxy: there is no go to build it';
}

/** A Toxiproxy on a free port, built once; it ends with this process. */
export async function startToxiproxy(): Promise<Toxiproxy> {
  const path = await builtProgram(toxiproxy);
  const port = await lastingPort();
  const server = await startServerProcess({
    name: 'Toxiproxy',
    command: [path, '-host', '127.0.0.1', '-port', `${port}`],
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Toxiproxy, ${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  try {
    await eventually(() => call('GET', '/version').catch(() => call('GET', '/proxies')));
  } catch (thrown) {
    await server.kill();
    throw thrown;
  }
  return {
    way: async (name, serverPort) => {
      const listenPort = await lastingPort();
      await call('POST', '/proxies', {
        name,
        listen: `127.0.0.1:${listenPort}`,
        upstream: `127.0.0.1:${serverPort}`,
        enabled: true,
      });
      return {
        port: listenPort,
        spoil: async (toxic) => {
          await call('POST', `/proxies/${name}/toxics`, { name: toxic.type, toxicity: 1, ...toxic });
        },
        close: async () => {
          await call('POST', `/proxies/${name}`, { enabled: false });
        },
        heal: async () => {
          const { toxics } = (await call('GET', `/proxies/${name}`)) as { toxics: readonly { name: string }[] };
          for (const toxic of toxics) await call('DELETE', `/proxies/${name}/toxics/${toxic.name}`);
          await call('POST', `/proxies/${name}`, { enabled: true });
        },
      };
    },
    [Symbol.asyncDispose]: () => server.kill(),
  };
}
