import { type Peer } from './peer.ts';

export function welcomePage(peers: readonly Peer[]): string {
  return [
    'Malote sandbox: the outside world on one machine. Nothing here is real, and nothing is kept.',
    '',
    ...peers.flatMap(({ name, addresses }) => [name, ...addresses.map((address) => `  ${address}`), '']),
    'faults: what goes wrong, and how often',
    '  GET    /faults',
    ...peers.flatMap(({ name }) => [
      `  PUT    /faults/${name}   JSON; what is left out is fair weather`,
      `  DELETE /faults/${name}`,
    ]),
    '',
    'ledger: what was received and sent, in order',
    '  GET    /ledger?peer=&kind=&businessDocId=&after=&limit=',
    '  GET    /ledger/summary',
    '  DELETE /ledger   empties the memory of the peers as well',
    '',
  ].join('\n');
}
