import { type FastifyInstance } from 'fastify';
import { give, problem } from '../answer.ts';
import { type Peer } from '../peer.ts';

export function addFaultRoutes(server: FastifyInstance, peers: readonly Peer[]): void {
  server.get('/faults', () => Object.fromEntries(peers.map(({ name, dial }) => [name, dial.faults])));

  for (const { name, dial } of peers) {
    server.put(`/faults/${name}`, (request, reply) => {
      const problems = dial.set(request.body);
      if (problems.length > 0) return give(reply, problem(400, 'invalid-faults', problems.join('; ')));
      return dial.faults;
    });
    server.delete(`/faults/${name}`, () => {
      dial.clear();
      return dial.faults;
    });
  }
}
