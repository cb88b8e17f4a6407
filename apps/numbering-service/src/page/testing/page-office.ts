import { NUMBERING_TABLES } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { beforeEach } from '@jest/globals';
import { describeNumberingApi, GOOD_PASSWORD, type NumberingApi } from '../../testing/numbering-api.ts';
import type { Role } from '../../users/user.entity.ts';
import { UsersService } from '../../users/users.service.ts';
import { PageReader } from './page-reader.ts';

const CONSOLE = { id: 'console', name: 'console' };

/** An office whose people have nothing but the page. */
export class PageOffice {
  typeId = '';
  admin!: PageReader;
  clerk!: PageReader;

  constructor(readonly api: NumberingApi) {
    beforeEach(async () => {
      this.typeId = await openType(api.uow);
      this.admin = await this.settle('ana@itajai.example', (await api.firstAdmin()).temporaryPassword);
      this.clerk = await this.hire('bia@itajai.example', 'Bia Lima');
    });
  }

  reader(): PageReader {
    return new PageReader(this.api);
  }

  /** Somebody with a password of their own, logged in. */
  async hire(email: string, name: string, role: Role = 'user'): Promise<PageReader> {
    return this.settle(email, await this.invite(email, name, role));
  }

  /** Somebody who has not been here yet; returns the temporary password. */
  async invite(email: string, name: string, role: Role = 'user'): Promise<string> {
    const users = this.api.service.app.get(UsersService);
    return (await users.create(CONSOLE, { email, name, role })).temporaryPassword;
  }

  private async settle(email: string, temporaryPassword: string): Promise<PageReader> {
    const reader = this.reader();
    await reader.logIn(email, temporaryPassword, '/senha');
    const { location, text } = await reader.post('/senha', { newPassword: GOOD_PASSWORD });
    if (location !== '/?feito=senha') throw new Error(text);
    return reader;
  }
}

export function describePages(name: string, suite: (office: PageOffice) => void): void {
  describeNumberingApi(
    name,
    (api) => {
      suite(new PageOffice(api));
    },
    { entities: NUMBERING_TABLES },
  );
}
