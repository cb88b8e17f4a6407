import { randomUUID } from 'node:crypto';
import { type UnitOfWork } from '@malote/persistence';
import { DocumentTypeEntity } from '../document-type.entity.ts';

export const MARIA = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  name: 'Maria Silva',
  email: 'maria.silva@itajai.sc.gov.br',
} as const;

/** A document type that takes numbers; returns its id. */
export async function openType(uow: UnitOfWork, values: Partial<DocumentTypeEntity> = {}): Promise<string> {
  const id = randomUUID();
  await uow.run((tx) =>
    tx.entities.insert(DocumentTypeEntity, {
      id,
      name: 'Ofício',
      prefix: 'OF',
      sortOrder: 1,
      isActive: true,
      ...values,
    }),
  );
  return id;
}
