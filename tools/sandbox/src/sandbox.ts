import { type Log } from '@malote/service-kit';
import { fastify, type FastifyInstance } from 'fastify';
import { addFaultRoutes } from './faults/fault.routes.ts';
import { Ledger } from './ledger.ts';
import { addLedgerRoutes } from './ledger.routes.ts';
import { createPeers } from './peers.ts';
import { type SandboxConfig } from './sandbox.config.ts';
import { welcomePage } from './welcome-page.ts';

/** The outside world, ready to listen. Closing it drops every connection and whatever peers still meant to send. */
export function createSandbox(config: SandboxConfig, log: Log): FastifyInstance {
  const ledger = new Ledger();
  const peers = createPeers(config, ledger, log);
  const server = fastify({ forceCloseConnections: true });

  server.get('/', (_, reply) => reply.type('text/plain; charset=utf-8').send(welcomePage(peers)));
  server.get('/health/ready', () => ({ status: 'ready' }));
  addFaultRoutes(server, peers);
  addLedgerRoutes(server, ledger, peers);
  for (const peer of peers) {
    server.register(
      (scope, _, done) => {
        peer.addRoutes(scope);
        done();
      },
      { prefix: `/${peer.name}` },
    );
  }
  server.addHook('onClose', async () => {
    await Promise.all(peers.map((peer) => peer.close()));
  });
  return server;
}
