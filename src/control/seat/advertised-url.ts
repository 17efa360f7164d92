import type { networkInterfaces } from 'node:os';

type Interfaces = ReturnType<typeof networkInterfaces>;

const wildcards: readonly string[] = ['0.0.0.0', '::'];

/**
 * Where the other processes of a cluster reach a listener: its own host, or, when it listens on every interface, the first
 * address of the machine that is not internal (an IPv4 one, if there is one).
 */
export function advertisedUrl(
  { host, port }: { readonly host: string; readonly port: number },
  interfaces: Interfaces,
): string {
  const reachable = wildcards.includes(host) ? (outerAddress(interfaces) ?? '127.0.0.1') : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function outerAddress(interfaces: Interfaces): string | undefined {
  const outer = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address;
}
