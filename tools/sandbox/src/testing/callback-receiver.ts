import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEVELOPMENT_CALLBACK_SECRET, WebhookVerifier } from '@malote/http-delivery';

export interface ReceivedCallback {
  readonly webhookId: string | undefined;
  readonly isSigned: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Stands where ticket-api takes callbacks. `answers` are given in turn, then 200; 'reset' breaks the connection. */
export class CallbackReceiver {
  readonly received: ReceivedCallback[] = [];
  answers: (number | 'reset')[] = [];
  private readonly verifier = new WebhookVerifier([DEVELOPMENT_CALLBACK_SECRET]);
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
          request.headers[`webhook-${name}`]?.toString(),
        );
        this.received.push({
          webhookId: id,
          isSigned: this.verifier.verify(id, timestamp, signature, body, new Date()),
          body: JSON.parse(body) as Record<string, unknown>,
          at: performance.now(),
        });
        const answer = this.answers.shift() ?? 200;
        if (answer === 'reset') request.socket.resetAndDestroy();
        else response.writeHead(answer).end();
      });
    });
  }

  get statuses(): readonly unknown[] {
    return this.received.map(({ body }) => body.status);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/api/tickets/callback`;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
