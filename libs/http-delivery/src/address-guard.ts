import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Special-purpose ranges of IANA's registries: a delivery must not reach into our own network. */
const IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const IPV6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const forbidden = new BlockList();
for (const range of IPV4) add(range, 'ipv4');
for (const range of IPV6) add(range, 'ipv6');

function add(range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits = ''] = range.split('/');
  forbidden.addSubnet(network, Number(bits), family);
}

export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return forbidden.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Private ranges are refused unless the host is allowed by name; names are judged by what they resolve to, at connect time. */
export class AddressGuard {
  private readonly allowed: ReadonlySet<string>;

  constructor(allowedHosts: readonly string[]) {
    this.allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  }

  /** Sockets ask no resolver for a literal address, so those are judged before. */
  check(url: URL): void {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new ForbiddenAddress(`${url.protocol} is no way to deliver`);
    if (url.username || url.password) throw new ForbiddenAddress('A target address carries no credentials');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && isPrivateAddress(host) && !this.allowed.has(host)) {
      throw new ForbiddenAddress(`${host} is a private address and not allowed by name`);
    }
  }

  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, []);
        return;
      }
      const bad = addresses.find(({ address }) => isPrivateAddress(address));
      if (bad && !this.allowed.has(hostname.toLowerCase())) {
        callback(new ForbiddenAddress(`${hostname} resolves to the private address ${bad.address}`), []);
        return;
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
