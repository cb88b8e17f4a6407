import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { pipeline } from 'node:stream';

/** One address for processes that come and go: each connection is passed on to the next of those who listen. */
export class Balancer {
  private readonly server: Server;
  private turn = 0;

  constructor(urls: () => readonly string[]) {
    this.server = createServer((client) => {
      const listening = urls();
      const url = listening[(this.turn += 1) % Math.max(listening.length, 1)];
      if (url === undefined) {
        client.resetAndDestroy();
        return;
      }
      const { hostname, port } = new URL(url);
      const service = connect(Number(port), hostname);
      // Whatever breaks on one side breaks on the other.
      pipeline(client, service, client, () => undefined);
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
  }
}
