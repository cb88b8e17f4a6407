import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { Metrics } from './metrics.ts';

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

@Injectable()
export class HttpMetrics {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;
  /** Routes are few; looking a series up by its labels takes longer than observing. */
  private readonly series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();

  constructor(metrics: Metrics) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [metrics.registry],
    });
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${status} ${route}`;
    let series = this.series.get(name);
    if (!series) this.series.set(name, (series = this.duration.labels({ method, route, status })));
    series.observe(seconds);
  }
}
