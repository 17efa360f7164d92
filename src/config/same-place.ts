/** Where a listener is to be; port 0 is any free one. */
interface Place {
  readonly host: string;
  readonly port: number;
}

/** Of every interface: nobody else can have the port then. */
const everywhere: readonly string[] = ['0.0.0.0', '::'];

/** Whether two listeners would need the same port of the same interface. */
export function isSamePlace(one: Place, other: Place): boolean {
  if (one.port !== other.port || one.port === 0) return false;
  const hosts = [one.host, other.host].map((host) => (host === 'localhost' ? '127.0.0.1' : host));
  return hosts[0] === hosts[1] || hosts.some((host) => everywhere.includes(host));
}
