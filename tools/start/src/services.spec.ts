import { expect, it } from '@jest/globals';
import { suiteServices } from './services.ts';

it('puts the services, and their metrics when asked to, on consecutive ports', () => {
  const ports = suiteServices(4001, 4190).map(({ port, metricsPort }) => [port, metricsPort]);

  expect(ports).toEqual([0, 1, 2, 3, 4, 5].map((index) => [4001 + index, 4190 + index]));
});

it.each([undefined, 0, NaN])('leaves metrics ports to the services for %s', (firstMetricsPort) => {
  expect(suiteServices(4001, firstMetricsPort).map(({ metricsPort }) => metricsPort)).toEqual(
    Array(6).fill(undefined),
  );
});
