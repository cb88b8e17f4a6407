import { Metrics } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

/** What the numbers say in Prometheus' words. */
@Injectable()
export class NumberMetrics {
  private readonly taken: Counter;
  private readonly wait: Histogram;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.taken = new Counter({
      name: 'numbers_taken_total',
      help: 'Requests for a number, by outcome: created, unchanged or refused',
      labelNames: ['outcome'],
      registers,
    });
    this.wait = new Histogram({
      name: 'sequence_wait_seconds',
      help: 'Time from the request for a number to its commit',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
  }

  async observe<T extends { readonly outcome: string }>(take: () => Promise<T>): Promise<T> {
    const done = this.wait.startTimer();
    try {
      const taken = await take();
      this.taken.inc({ outcome: taken.outcome });
      return taken;
    } catch (error) {
      this.taken.inc({ outcome: 'refused' });
      throw error;
    } finally {
      done();
    }
  }
}
