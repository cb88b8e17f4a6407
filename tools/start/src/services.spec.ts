import { expect, it } from '@jest/globals';
import { sandboxService, suiteServices } from './services.ts';

it('puts the services, and their metrics when asked to, on consecutive ports', () => {
  const ports = suiteServices(4001, 4190).map(({ port, metricsPort }) => [port, metricsPort]);

  expect(ports).toEqual([0, 1, 2, 3, 4, 5].map((index) => [4001 + index, 4190 + index]));
});

it.each([undefined, 0, NaN])('leaves metrics ports to the services for %s', (firstMetricsPort) => {
  expect(suiteServices(4001, firstMetricsPort).map(({ metricsPort }) => metricsPort)).toEqual(
    Array(6).fill(undefined),
  );
});

it('puts the sandbox at 3900, or behind services whose ports were chosen', () => {
  expect(sandboxService().port).toBe(3900);
  expect(sandboxService(4001).port).toBe(4007);
});

it('does not count the sandbox among the services, which are what is deployed', () => {
  expect(suiteServices().map(({ name }) => name)).not.toContain(sandboxService().name);
});
