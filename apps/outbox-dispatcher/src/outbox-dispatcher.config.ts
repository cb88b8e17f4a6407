import { OutboxConfig } from '@malote/outbox';
import { Env } from '@malote/service-kit';

export class OutboxDispatcherConfig extends OutboxConfig {
  @Env('PORT', { as: 'integer', default: '3003' })
  declare readonly port: number;
}
