import { OutboxTargetEntity } from '@malote/lanes';
import { FunctionalAckOutboxEntity } from '@malote/tickets';
import { ChaosAskableEntity } from './askable-outbox.entity.ts';
import { SettledEntity } from './settled.entity.ts';

export const entities = [FunctionalAckOutboxEntity, ChaosAskableEntity, OutboxTargetEntity, SettledEntity];
