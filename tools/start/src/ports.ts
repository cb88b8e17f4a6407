import { createServer } from 'node:net';
import { type Service } from './services.ts';

/** The services whose port somebody else already listens on. */
export async function servicesWithBusyPort(services: readonly Service[]): Promise<readonly Service[]> {
  const busy = await Promise.all(services.map(({ port }) => isBusy(port)));
  return services.filter((_, index) => busy[index]);
}

async function isBusy(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true);
      else reject(new Error(`Port ${port} cannot be used: ${error.message}`, { cause: error }));
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(false);
      });
    });
  });
}
