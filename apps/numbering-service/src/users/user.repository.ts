import { datetime2, nvarchar, type SqlParameters, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, Not } from 'typeorm';
import { type Role, UserEntity } from './user.entity.ts';

const TABLE = 'TB_USERS';

/** What changes of a user; the rest stays. */
export type ChangedColumns = Pick<UserEntity, 'updatedAt'> &
  Partial<
    Pick<
      UserEntity,
      'name' | 'role' | 'isActive' | 'passwordHash' | 'mustChangePassword' | 'temporaryPasswordExpiresAt'
    >
  >;

@Injectable()
export class UserRepository {
  find(tx: Tx, id: string): Promise<UserEntity | null> {
    return tx.entities.findOneBy(UserEntity, { id });
  }

  findByEmail(tx: Tx, email: string): Promise<UserEntity | null> {
    return tx.entities.findOneBy(UserEntity, { email });
  }

  /** By name, as people here sort them: databases differ about accents. */
  async list(tx: Tx, where: FindOptionsWhere<UserEntity>): Promise<UserEntity[]> {
    const users = await tx.entities.findBy(UserEntity, where);
    return users.sort((a, b) => a.name.localeCompare(b.name, 'pt-BR') || a.email.localeCompare(b.email));
  }

  async insert(tx: Tx, user: UserEntity): Promise<void> {
    await tx.entities.insert(UserEntity, user);
  }

  async update(tx: Tx, id: string, changes: ChangedColumns): Promise<void> {
    const values = parametersOf(changes);
    const assignments = Object.keys(values).map((name) => `${name} = @${name}`);
    await tx.execute(`UPDATE ${tx.dialect.table(TABLE)} SET ${assignments.join(', ')} WHERE Id = @id`, {
      ...values,
      id: varchar(id, 36),
    });
  }

  countOtherActiveAdmins(tx: Tx, id: string): Promise<number> {
    const role: Role = 'admin';
    return tx.entities.countBy(UserEntity, { role, isActive: true, id: Not(id) });
  }

  /** False when the password is another one by now: a temporary password lets one login in. */
  async recordLogin(
    tx: Tx,
    { id, passwordHash }: UserEntity,
    newHash: string | null,
    now: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET LastLoginAt = @now, PasswordHash = @newHash, ` +
        `TemporaryPasswordExpiresAt = NULL WHERE Id = @id AND PasswordHash = @oldHash AND IsActive = 1`,
      { id: varchar(id, 36), now, oldHash: varchar(passwordHash, 100), newHash: varchar(newHash, 100) },
    );
    return changed === 1;
  }

  /** False when the password is another one by now, or the user inactive. */
  async setPassword(tx: Tx, { id, passwordHash }: UserEntity, newHash: string, now: Date): Promise<boolean> {
    const isUnchanged = passwordHash === null ? 'PasswordHash IS NULL' : 'PasswordHash = @oldHash';
    const changed = await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET PasswordHash = @newHash, MustChangePassword = 0, ` +
        `TemporaryPasswordExpiresAt = NULL, UpdatedAt = @now WHERE Id = @id AND ${isUnchanged} AND IsActive = 1`,
      {
        id: varchar(id, 36),
        now,
        newHash: varchar(newHash, 100),
        ...(passwordHash !== null && { oldHash: varchar(passwordHash, 100) }),
      },
    );
    return changed === 1;
  }
}

function parametersOf(changes: ChangedColumns): SqlParameters {
  const { name, role, isActive, passwordHash, mustChangePassword, temporaryPasswordExpiresAt, updatedAt } =
    changes;
  return {
    ...(name !== undefined && { Name: nvarchar(name, 100) }),
    ...(role !== undefined && { Role: varchar(role, 10) }),
    ...(isActive !== undefined && { IsActive: isActive }),
    ...(passwordHash !== undefined && { PasswordHash: varchar(passwordHash, 100) }),
    ...(mustChangePassword !== undefined && { MustChangePassword: mustChangePassword }),
    ...(temporaryPasswordExpiresAt !== undefined && {
      TemporaryPasswordExpiresAt: datetime2(temporaryPasswordExpiresAt),
    }),
    UpdatedAt: updatedAt,
  };
}
