import { NUMBERING_TABLES } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { beforeEach } from '@jest/globals';
import { type Browser } from './browser.ts';
import { type Answer, describeNumberingApi, type NumberingApi } from './numbering-api.ts';

/** An office at work: an admin, a clerk, and a document type that takes numbers. */
export class Office {
  admin!: Browser;
  clerk!: Browser;
  typeId = '';
  private keys = 0;

  constructor(readonly api: NumberingApi) {
    beforeEach(async () => {
      this.typeId = await openType(api.uow);
      this.admin = await api.admin();
      this.clerk = await api.clerk(this.admin, 'bia@itajai.example', 'Bia Lima');
    });
  }

  take(who: Browser, values: object = {}, key = `k-${(this.keys += 1)}`): Promise<Answer> {
    return who.post('/api/numbers', { documentTypeId: this.typeId, ...values }, { 'idempotency-key': key });
  }

  async numbersOf(who: Browser, query = ''): Promise<unknown[]> {
    const { body } = await who.get(`/api/numbers${query}`);
    return (body.items as { formattedNumber: string }[]).map(({ formattedNumber }) => formattedNumber);
  }
}

export function describeOffice(name: string, suite: (office: Office) => void): void {
  describeNumberingApi(
    name,
    (api) => {
      suite(new Office(api));
    },
    { entities: NUMBERING_TABLES },
  );
}

/** Where a refused request is told to look. */
export function pointersOf({ body }: Answer): string[] {
  const errors = (body.errors ?? []) as readonly { readonly pointer: string }[];
  return [...new Set(errors.map(({ pointer }) => pointer))];
}
