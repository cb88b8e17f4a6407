import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Answer = (request: Received, response: ServerResponse) => void;

/** A target over real HTTP; what it answers can be changed while it runs. */
export class Sink {
  readonly received: Received[] = [];
  answer: Answer = (_request, response) => response.writeHead(204).end();
  private server: Server | undefined;
  private port = 0;

  async open(): Promise<this> {
    const server = createServer((request, response) => void this.handle(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  bodies(): string[] {
    return this.received.map(({ body }) => body);
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const { method = '', url: path = '' } = request;
    const received = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.received.push(received);
    this.answer(received, response);
  }
}
