import { randomUUID } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { type Tx, UnitOfWork } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { type Actor, AdminActions } from '../admin-actions/admin-actions.ts';
import { PasswordHashing } from '../auth/password-hashing.ts';
import { SessionRepository } from '../auth/session.repository.ts';
import { makeTemporaryPassword } from '../auth/temporary-password.ts';
import type { EndReason } from '../auth/user-session.entity.ts';
import { Clock } from '../clock.ts';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import { type Role, UserEntity } from './user.entity.ts';
import {
  emailTaken,
  invalidUser,
  lastAdmin,
  notYourself,
  userInactive,
  userUnknown,
} from './user-problems.ts';
import { type ChangedColumns, UserRepository } from './user.repository.ts';
import { normaliseEmail, normaliseName } from './user-rules.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface UserChanges {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
}

/** The one time the password can be read. */
export interface UserWithPassword {
  readonly user: UserEntity;
  readonly temporaryPassword: string;
}

export interface FirstAdmin extends UserWithPassword {
  readonly outcome: 'created' | 'reset';
}

interface TemporaryPassword {
  readonly text: string;
  readonly columns: Pick<UserEntity, 'passwordHash' | 'mustChangePassword' | 'temporaryPasswordExpiresAt'>;
}

const CONSOLE: Actor = { id: 'console', name: 'console' };

@Injectable()
export class UsersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly actions: AdminActions,
    private readonly hashing: PasswordHashing,
    private readonly clock: Clock,
    private readonly config: NumberingServiceConfig,
  ) {}

  list(filter: { readonly active?: boolean | undefined } = {}): Promise<UserEntity[]> {
    const { active } = filter;
    return this.uow.read((tx) => this.users.list(tx, active === undefined ? {} : { isActive: active }));
  }

  find(id: string): Promise<UserEntity> {
    return this.uow.read((tx) => this.known(tx, id));
  }

  async create(actor: Actor, given: NewUser): Promise<UserWithPassword> {
    const wanted = usable(given);
    const password = await this.makePassword();
    const user = await this.uow.run((tx) => this.insert(tx, actor, wanted, password));
    return { user, temporaryPassword: password.text };
  }

  /** For the console, where whoever can start the command could write to the database as well. */
  async createFirstAdmin(given: Omit<NewUser, 'role'>): Promise<FirstAdmin> {
    const wanted = usable({ ...given, role: 'admin' });
    const password = await this.makePassword();
    return this.uow.run(async (tx) => {
      await this.lockAdmins(tx);
      const existing = await this.users.findByEmail(tx, wanted.email);
      if (!existing && (await this.users.countOtherActiveAdmins(tx, '')) > 0) {
        throw new AppError('conflict', 'admin-exists', 'There is an admin already, who can add others');
      }
      const user = existing
        ? await this.restoreAdmin(tx, existing, password)
        : await this.insert(tx, CONSOLE, wanted, password);
      return { user, temporaryPassword: password.text, outcome: existing ? 'reset' : 'created' };
    });
  }

  update(actor: Actor, id: string, { name, role }: UserChanges): Promise<UserEntity> {
    return this.uow.run(async (tx) => {
      await this.lockAdmins(tx);
      const user = await this.known(tx, id);
      const after = { name: name === undefined ? user.name : usableName(name), role: role ?? user.role };
      if (after.name === user.name && after.role === user.role) return user;
      if (user.role === 'admin' && after.role !== 'admin') await this.refuseLosingAdmin(tx, actor, user);
      const before = { name: user.name, role: user.role };
      const changed = await this.change(tx, user, after);
      await this.record(tx, actor, 'user-changed', changed, { before, after });
      return changed;
    });
  }

  deactivate(actor: Actor, id: string): Promise<UserEntity> {
    return this.uow.run(async (tx) => {
      await this.lockAdmins(tx);
      const user = await this.known(tx, id);
      await this.refuseLosingAdmin(tx, actor, user);
      if (!user.isActive) return user;
      const changed = await this.change(tx, user, { isActive: false });
      const sessions = await this.endAll(tx, id, 'deactivated');
      await this.record(tx, actor, 'user-deactivated', changed, { sessions });
      return changed;
    });
  }

  activate(actor: Actor, id: string): Promise<UserEntity> {
    return this.uow.run(async (tx) => {
      const user = await this.known(tx, id);
      if (user.isActive) return user;
      const changed = await this.change(tx, user, { isActive: true });
      await this.record(tx, actor, 'user-activated', changed);
      return changed;
    });
  }

  async resetPassword(actor: Actor, id: string): Promise<UserWithPassword> {
    const password = await this.makePassword();
    const user = await this.uow.run(async (tx) => {
      const found = await this.known(tx, id);
      if (found.id === actor.id) throw notYourself();
      // The password would expire unused, and whoever got it would wonder why.
      if (!found.isActive) throw userInactive();
      const changed = await this.change(tx, found, password.columns);
      const sessions = await this.endAll(tx, id, 'reset');
      await this.record(tx, actor, 'user-password-reset', changed, { sessions });
      return changed;
    });
    return { user, temporaryPassword: password.text };
  }

  /** Tells how many there were. */
  endSessions(actor: Actor, id: string): Promise<number> {
    return this.uow.run(async (tx) => {
      const user = await this.known(tx, id);
      const sessions = await this.endAll(tx, id, 'ended-by-admin');
      await this.record(tx, actor, 'user-sessions-ended', user, { sessions });
      return sessions;
    });
  }

  private async insert(
    tx: Tx,
    actor: Actor,
    wanted: NewUser,
    { columns }: TemporaryPassword,
  ): Promise<UserEntity> {
    const now = this.clock.now();
    const user = Object.assign(new UserEntity(), {
      id: randomUUID(),
      ...wanted,
      ...columns,
      isActive: true,
      lastLoginAt: null,
      createdAt: now,
      updatedAt: now,
    });
    if (await this.users.findByEmail(tx, wanted.email)) throw emailTaken();
    try {
      await this.users.insert(tx, user);
    } catch (error) {
      if (tx.dialect.isDuplicateKey(error)) throw emailTaken(error);
      throw error;
    }
    await this.record(tx, actor, 'user-created', user, { role: user.role });
    return user;
  }

  private async restoreAdmin(tx: Tx, user: UserEntity, { columns }: TemporaryPassword): Promise<UserEntity> {
    const before = { role: user.role, isActive: user.isActive };
    const changed = await this.change(tx, user, { role: 'admin', isActive: true, ...columns });
    const sessions = await this.endAll(tx, user.id, 'reset');
    await this.record(tx, CONSOLE, 'admin-restored', changed, { before, sessions });
    return changed;
  }

  private async makePassword(): Promise<TemporaryPassword> {
    const text = makeTemporaryPassword();
    const passwordHash = await this.hashing.hash(text);
    const end = this.clock.now().getTime() + this.config.temporaryPasswordTtlMs;
    const columns = { passwordHash, mustChangePassword: true, temporaryPasswordExpiresAt: new Date(end) };
    return { text, columns };
  }

  private async known(tx: Tx, id: string): Promise<UserEntity> {
    const user = await this.users.find(tx, id);
    if (user) return user;
    throw userUnknown();
  }

  private async change(
    tx: Tx,
    user: UserEntity,
    changes: Omit<ChangedColumns, 'updatedAt'>,
  ): Promise<UserEntity> {
    const all = { ...changes, updatedAt: this.clock.now() };
    await this.users.update(tx, user.id, all);
    return Object.assign(new UserEntity(), user, all);
  }

  /** Two admins who remove each other at once must come one after the other: the second is told that there is no other. */
  private async lockAdmins(tx: Tx): Promise<void> {
    await tx.dialect.lock(tx, 'numbering-admins');
  }

  private async refuseLosingAdmin(tx: Tx, actor: Actor, user: UserEntity): Promise<void> {
    if (user.id === actor.id) throw notYourself();
    if (user.role !== 'admin' || !user.isActive) return;
    if ((await this.users.countOtherActiveAdmins(tx, user.id)) === 0) throw lastAdmin();
  }

  private endAll(tx: Tx, userId: string, reason: EndReason): Promise<number> {
    return this.sessions.endAll(tx, userId, reason, this.clock.now());
  }

  private async record(
    tx: Tx,
    actor: Actor,
    action: string,
    { id: userId, name, email }: UserEntity,
    details: object = {},
  ): Promise<void> {
    await this.actions.record(tx, actor, { action, subject: name, details: { userId, email, ...details } });
  }
}

/** The console has no DTO that would have looked at it. */
function usable({ email: givenEmail, name, role }: NewUser): NewUser {
  const email = normaliseEmail(givenEmail);
  if (email === undefined) throw invalidUser('email');
  return { email, name: usableName(name), role };
}

function usableName(given: string): string {
  const name = normaliseName(given);
  if (name === undefined) throw invalidUser('name');
  return name;
}
