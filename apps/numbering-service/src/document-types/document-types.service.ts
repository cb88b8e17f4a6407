import { randomUUID } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { DocumentTypeEntity, NumberLogEntity, SequenceEntity } from '@malote/numbering';
import { nvarchar, type Tx, UnitOfWork, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { AdminActions } from '../admin-actions/admin-actions.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import type { DocumentTypeChangesDto, NewDocumentTypeDto } from './document-type.dto.ts';

/** What a new office starts with. */
const FIRST_TYPES = [
  { name: 'Comunicação Interna', prefix: 'CI', sortOrder: 1 },
  { name: 'Ofício', prefix: 'OF', sortOrder: 2 },
  { name: 'Despacho', prefix: 'DESP', sortOrder: 3 },
] as const;

const TABLE = 'TB_DOCUMENT_TYPES';
const ORDER = { sortOrder: 'ASC', name: 'ASC' } as const;

@Injectable()
export class DocumentTypesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly actions: AdminActions,
    private readonly clock: Clock,
  ) {}

  list({ isActive }: { isActive?: boolean | undefined } = {}): Promise<DocumentTypeEntity[]> {
    const where = isActive === undefined ? {} : { isActive };
    return this.uow.read((tx) => tx.entities.find(DocumentTypeEntity, { where, order: ORDER }));
  }

  find(id: string): Promise<DocumentTypeEntity> {
    return this.uow.read((tx) => load(tx, id));
  }

  create(actor: SignedIn, given: NewDocumentTypeDto): Promise<DocumentTypeEntity> {
    return this.exclusively(async (tx) => {
      const now = this.clock.now();
      const type = {
        id: randomUUID(),
        name: given.name.trim(),
        prefix: given.prefix ?? null,
        isActive: true,
        sortOrder: given.sortOrder ?? (await lastOrder(tx)) + 1,
        createdAt: now,
        updatedAt: now,
      };
      await refuseTakenName(tx, type);
      await tx.entities.insert(DocumentTypeEntity, type);
      await this.actions.record(tx, actor, { action: 'document-type-created', subject: type.name });
      return type;
    });
  }

  /** Only what is given changes. */
  update(actor: SignedIn, id: string, changes: DocumentTypeChangesDto): Promise<DocumentTypeEntity> {
    return this.exclusively(async (tx) => {
      const before = await load(tx, id);
      const after: DocumentTypeEntity = {
        id: before.id,
        name: changes.name?.trim() ?? before.name,
        prefix: changes.prefix === undefined ? before.prefix : changes.prefix,
        sortOrder: changes.sortOrder ?? before.sortOrder,
        isActive: changes.isActive ?? before.isActive,
        createdAt: before.createdAt,
        updatedAt: this.clock.now(),
      };
      if (JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after))) return before;
      await refuseTakenName(tx, after);
      await store(tx, after);
      await this.actions.record(tx, actor, {
        action: actionOf(before, after),
        subject: before.name,
        details: { before: contentOf(before), after: contentOf(after) },
      });
      return after;
    });
  }

  /** Only a type that never took a number can vanish; any other can be deactivated. */
  remove(actor: SignedIn, id: string): Promise<void> {
    return this.exclusively(async (tx) => {
      await lockType(tx, id);
      const { name } = await load(tx, id);
      const used = { documentTypeId: id };
      const isUsed =
        (await tx.entities.existsBy(SequenceEntity, used)) ||
        (await tx.entities.existsBy(NumberLogEntity, used));
      if (isUsed) {
        throw new AppError(
          'conflict',
          'document-type-used',
          'Numbers of this document type have been taken; deactivate it instead',
        );
      }
      await tx.execute(`DELETE FROM ${tx.dialect.table(TABLE)} WHERE Id = @id`, { id: varchar(id, 36) });
      await this.actions.record(tx, actor, { action: 'document-type-removed', subject: name });
    });
  }

  /** Comunicação Interna, Ofício and Despacho, unless there are types already. */
  createFirst(): Promise<void> {
    return this.exclusively(async (tx) => {
      if (await tx.entities.existsBy(DocumentTypeEntity, {})) return;
      for (const type of FIRST_TYPES) {
        await tx.entities.insert(DocumentTypeEntity, { ...type, id: randomUUID(), isActive: true });
      }
    });
  }

  /** Two admins at once must not both find a name free. */
  private exclusively<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(async (tx) => {
      await tx.dialect.lock(tx, 'document-types');
      return work(tx).catch((error: unknown) => {
        // The database's own idea of the same name goes further than ours.
        throw tx.dialect.isDuplicateKey(error) ? nameTaken() : error;
      });
    });
  }
}

async function load(tx: Tx, id: string): Promise<DocumentTypeEntity> {
  const type = await tx.entities.findOneBy(DocumentTypeEntity, { id });
  if (!type) throw new AppError('not-found', 'document-type-unknown', 'There is no such document type');
  return type;
}

/** Whoever is taking a number of it is waited for; whoever comes later finds it gone. */
async function lockType(tx: Tx, id: string): Promise<void> {
  const change = { table: TABLE, set: 'SortOrder = SortOrder', key: ['Id'], returning: ['Id'] };
  await tx.dialect.changeOne(tx, change, { Id: varchar(id, 36) });
}

async function store(tx: Tx, type: DocumentTypeEntity): Promise<void> {
  await tx.execute(
    `UPDATE ${tx.dialect.table(TABLE)} SET Name = @name, Prefix = @prefix, SortOrder = @sortOrder, ` +
      `IsActive = @isActive, UpdatedAt = @updatedAt WHERE Id = @id`,
    {
      id: varchar(type.id, 36),
      name: nvarchar(type.name, 50),
      prefix: varchar(type.prefix, 10),
      sortOrder: type.sortOrder,
      isActive: type.isActive,
      updatedAt: type.updatedAt,
    },
  );
}

async function lastOrder(tx: Tx): Promise<number> {
  return (await tx.entities.maximum(DocumentTypeEntity, 'sortOrder')) ?? 0;
}

/** Names are compared as people read them: the embedded database would tell Ofício from OFÍCIO. */
async function refuseTakenName(tx: Tx, { id, name, isActive }: DocumentTypeEntity): Promise<void> {
  if (!isActive) return;
  const others = await tx.entities.findBy(DocumentTypeEntity, { isActive: true });
  if (others.some((other) => other.id !== id && asRead(other.name) === asRead(name))) throw nameTaken();
}

function asRead(name: string): string {
  const seen = name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return seen.replaceAll(/\s+/gu, ' ').trim().toLocaleLowerCase('pt-BR');
}

function nameTaken(): AppError {
  const message = 'Another active document type has this name';
  const fields = [{ pointer: '/name', code: 'taken', message }];
  return new AppError('conflict', 'document-type-name-taken', message, { fields });
}

function actionOf(before: DocumentTypeEntity, after: DocumentTypeEntity): string {
  if (before.isActive === after.isActive) return 'document-type-changed';
  return after.isActive ? 'document-type-activated' : 'document-type-deactivated';
}

function contentOf({ name, prefix, sortOrder, isActive }: DocumentTypeEntity) {
  return { name, prefix, sortOrder, isActive };
}
