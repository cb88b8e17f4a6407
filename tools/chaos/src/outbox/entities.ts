import { OutboxTargetEntity } from '@malote/outbox';
import { FunctionalAckOutboxEntity } from '@malote/tickets';
import { SettledEntity } from './settled.entity.ts';

export const entities = [FunctionalAckOutboxEntity, OutboxTargetEntity, SettledEntity];
