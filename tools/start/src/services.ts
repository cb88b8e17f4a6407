/** One process of the suite; `entry` is relative to the workspace root. */
export interface Service {
  readonly name: string;
  readonly port: number;
  readonly metricsPort?: number;
  readonly entry: string;
}

const names = [
  'counterparty-api',
  'ticket-api',
  'outbox-dispatcher',
  'fiscal-emitter',
  'numbering-service',
  'whatsapp-nfse-bot',
] as const;

export const defaultFirstPort = 3001;
export const defaultSandboxPort = 3900;

/** The six services on consecutive ports. Metrics ports that are any (0) or wrong (NaN) are not counted up. */
export function suiteServices(firstPort = defaultFirstPort, firstMetricsPort = 0): readonly Service[] {
  return names.map((name, index) => ({
    name,
    port: firstPort + index,
    ...(firstMetricsPort > 0 && { metricsPort: firstMetricsPort + index }),
    entry: `apps/${name}/src/main.ts`,
  }));
}

/** The outside world on this machine; never deployed, so none of the services. Behind them when their ports are chosen. */
export function sandboxService(firstPort?: number): Service {
  return {
    name: 'sandbox',
    port: firstPort === undefined ? defaultSandboxPort : firstPort + names.length,
    entry: 'tools/sandbox/src/main.ts',
  };
}
