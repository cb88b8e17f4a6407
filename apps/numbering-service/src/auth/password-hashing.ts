import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import { BoundedWork } from './bounded-work.ts';
import { bcryptMaterial, hasControlCharacters } from './password-text.ts';

/** Node has four threads for such work; one stays free for whoever reads a file or looks up a name. */
const MAX_RUNNING = 3;
const MAX_WAITING = 50;

@Injectable()
export class PasswordHashing {
  private readonly line = new BoundedWork(MAX_RUNNING, MAX_WAITING);
  private readonly cost: number;
  private readonly nobodysHash: string;

  constructor({ bcryptCost }: NumberingServiceConfig) {
    this.cost = bcryptCost;
    this.nobodysHash = bcrypt.hashSync(randomUUID(), bcryptCost);
  }

  hash(password: string): Promise<string> {
    return this.line.run(() => bcrypt.hash(bcryptMaterial(password), this.cost));
  }

  /** Takes as long where there is no hash to compare with: the time must not tell who has an account. */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const isSame = await this.line.run(() =>
      bcrypt.compare(bcryptMaterial(password), hash ?? this.nobodysHash),
    );
    return isSame && hash !== null && !hasControlCharacters(password);
  }

  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) < this.cost;
  }
}
