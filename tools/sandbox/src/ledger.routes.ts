import { type FastifyInstance } from 'fastify';
import { give, problem } from './answer.ts';
import { type Ledger, type LedgerFilter } from './ledger.ts';
import { type Peer } from './peer.ts';

const NAMES = ['peer', 'kind', 'businessDocId', 'after', 'limit'];
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;

export function addLedgerRoutes(server: FastifyInstance, ledger: Ledger, peers: readonly Peer[]): void {
  server.get('/ledger', (request, reply) => {
    const query = request.query as Readonly<Record<string, string | string[]>>;
    const problems = problemsOf(query, peers);
    if (problems.length > 0) return give(reply, problem(400, 'invalid-query', problems.join('; ')));
    return ledger.page(filterOf(query));
  });

  server.get('/ledger/summary', () => ledger.summary());

  server.delete('/ledger', (_, reply) => {
    ledger.clear();
    for (const peer of peers) peer.forget();
    return reply.code(204).send();
  });
}

/** A mistyped filter must not look like an empty ledger. */
function problemsOf(
  query: Readonly<Record<string, string | string[]>>,
  peers: readonly Peer[],
): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    peer: peers.map(({ name }) => name),
    kind: peers.flatMap(({ kinds }) => kinds),
  };
  return Object.entries(query).flatMap(([name, value]) => {
    if (!NAMES.includes(name)) return [`${name} is no filter`];
    if (typeof value !== 'string') return [`${name} is given twice`];
    if (known[name] && !known[name].includes(value)) return [`${name} must be ${known[name].join(', ')}`];
    if (name === 'after' && !/^\d{1,9}$/.test(value)) return ['after must be a sequence number'];
    if (name === 'limit' && !(/^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_LIMIT)) {
      return [`limit must be from 1 to ${MAX_LIMIT}`];
    }
    return [];
  });
}

function filterOf(query: Readonly<Record<string, string | string[]>>): LedgerFilter {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined);
  return {
    peer: text('peer'),
    kind: text('kind'),
    businessDocId: text('businessDocId'),
    after: Number(text('after') ?? 0),
    limit: Number(text('limit') ?? DEFAULT_LIMIT),
  };
}
