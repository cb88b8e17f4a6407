import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../database.ts';

const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? '';

/** Stands between the driver and the server and can cut an answer short. */
class Cutter {
  /** Bytes that still pass from the server to the driver. */
  allowance = Infinity;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(host: string, port: number) {
    this.server = createServer((client) => {
      const upstream = connect(port, host);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
      }
      client.pipe(upstream);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      upstream.on('data', (chunk: Buffer) => {
        client.write(chunk.subarray(0, Math.min(chunk.length, this.allowance)));
        this.allowance -= chunk.length;
        if (this.allowance < 0) client.end();
      });
    });
  }

  async open(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

(testDatabaseUrl ? describe : describe.skip)('a connection that breaks in the middle of an answer', () => {
  let cutter: Cutter;
  let database: Database;

  beforeEach(async () => {
    const url = new URL(testDatabaseUrl);
    cutter = new Cutter(url.hostname, Number(url.port || 1433));
    url.host = `127.0.0.1:${await cutter.open()}`;
    database = Database.open(url.href, []);
  });

  afterEach(async () => {
    await database.close();
    cutter.close();
  });

  const read = () =>
    database.unitOfWork.read((tx) =>
      tx.query(`SELECT TOP (2000) a.name AS [Name] FROM sys.columns AS a, sys.columns AS b`),
    );

  it.each([500, 5_000, 12_001])(
    'is an unavailable database after %i bytes, and no more than that',
    async (bytes) => {
      expect(await read()).toHaveLength(2000);
      cutter.allowance = bytes;
      await expect(read()).rejects.toMatchObject({ kind: 'unavailable', code: 'database-unavailable' });
      cutter.allowance = Infinity;
      expect(await read()).toHaveLength(2000);
    },
  );
});
