import { randomUUID } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { DESCRIPTION_FIELDS } from '@malote/numbering';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { CurrentUser } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import { DocumentTypePath } from '../document-types/document-type.dto.ts';
import { DocumentTypesService } from '../document-types/document-types.service.ts';
import {
  AnnulmentDto,
  DescriptionDto,
  type NextNumberDto,
  NewNumberDto,
  type NumberDto,
  NumberPath,
  toNumberDto,
  toNumberEventDto,
} from '../numbers/number.dto.ts';
import { NumbersService } from '../numbers/numbers.service.ts';
import type { RegisteredNumber } from '../numbers/register.repository.ts';
import { fieldsOf, type FormFields, oneLine, readForm } from './form-fields.ts';
import { type Html, html } from './html.ts';
import { rules } from './problem-messages.ts';
import { type PageAnswer, Refused, SeeOther } from './page-answer.ts';
import { Pages } from './page.decorator.ts';
import { submit } from './submit.ts';
import { EMPTY } from './views/form.ts';
import { homePage, nextNumbers } from './views/home.view.ts';
import {
  type AmendView,
  amendPage,
  annulPage,
  keyUsedPage,
  numberPage,
  takePage,
} from './views/number.view.ts';

const MINE_SHOWN = 10;

@Pages('clerk')
export class NumberPages {
  constructor(
    private readonly numbers: NumbersService,
    private readonly types: DocumentTypesService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async home(@CurrentUser() user: SignedIn, @Query() query: object): Promise<Html> {
    const [next, mine] = await Promise.all([this.numbers.next(), this.numbers.lastOf(user, MINE_SHOWN)]);
    const { feito: done } = fieldsOf(query, ['feito']);
    return homePage(user, { next, mine: mine.map(toNumberDto), now: this.clock.now(), done });
  }

  @Get('proximos')
  async next(): Promise<Html> {
    return html`${nextNumbers(await this.numbers.next())}`;
  }

  @Get('novo/:id')
  async form(@Param() { id }: DocumentTypePath, @CurrentUser() user: SignedIn): Promise<Html> {
    return takePage(user, { next: await this.nextOf(id), key: randomUUID(), state: EMPTY });
  }

  @Post('numeros')
  async take(@Body() body: object, @CurrentUser() user: SignedIn): Promise<PageAnswer> {
    const { key, ...values } = fieldsOf(body, ['key', 'documentTypeId', ...DESCRIPTION_FIELDS]);
    // Without the key of a form of ours nothing would tell a second click from a second number.
    if (key === undefined || !isUUID(key))
      throw new AppError('invalid', 'form-incomplete', 'The form came without its key');
    const documentTypeId = values.documentTypeId ?? '';
    return submit(
      rules.take,
      async () => {
        const number = readForm(NewNumberDto, inOneLine(values));
        try {
          const { number: taken } = await this.numbers.take(user, number, key);
          return new SeeOther(`/numeros/${taken.taken.id}`);
        } catch (error) {
          const used = numberOfForm(error);
          if (!used) throw error;
          return new Refused(409, keyUsedPage(user, { ...used, documentTypeId }));
        }
      },
      async (problem) =>
        takePage(user, { next: await this.nextOf(documentTypeId), key, state: { values, problem } }),
    );
  }

  @Get('numeros/:id')
  async show(
    @Param() { id }: NumberPath,
    @CurrentUser() user: SignedIn,
    @Query() query: object,
  ): Promise<Html> {
    const number = toNumberDto(await this.numbers.find(id));
    const events = (await this.numbers.history(id)).map(toNumberEventDto);
    const { feito: done } = fieldsOf(query, ['feito']);
    return numberPage(user, { number, events, mayChange: offersChanges(user, number), done });
  }

  @Get('numeros/:id/corrigir')
  async amendForm(@Param() { id }: NumberPath, @CurrentUser() user: SignedIn): Promise<PageAnswer> {
    const found = await this.numbers.find(id);
    if (!offersChanges(user, toNumberDto(found))) return new SeeOther(`/numeros/${id}`);
    return amendPage(user, asStored(found));
  }

  @Post('numeros/:id/corrigir')
  amend(
    @Param() { id }: NumberPath,
    @Body() body: object,
    @CurrentUser() user: SignedIn,
  ): Promise<PageAnswer> {
    const { seen, ...values } = fieldsOf(body, ['seen', ...DESCRIPTION_FIELDS]);
    return submit(
      rules.take,
      async () => {
        // The form shows all there is: what was emptied is to be taken away.
        const emptied = Object.fromEntries(DESCRIPTION_FIELDS.map((name) => [name, null]));
        const given = readForm(DescriptionDto, { ...emptied, ...inOneLine(values) });
        await this.numbers.amend(user, id, given, seen);
        return new SeeOther(`/numeros/${id}?feito=corrigido`);
      },
      async (problem) => {
        const stored = asStored(await this.numbers.find(id));
        if (problem.code === 'number-changed-meanwhile') {
          return amendPage(user, { ...stored, state: { ...stored.state, problem } });
        }
        return amendPage(user, { ...stored, seen: seen ?? stored.seen, state: { values, problem } });
      },
    );
  }

  @Get('numeros/:id/anular')
  async annulForm(@Param() { id }: NumberPath, @CurrentUser() user: SignedIn): Promise<PageAnswer> {
    const number = toNumberDto(await this.numbers.find(id));
    return offersChanges(user, number) ? annulPage(user, number) : new SeeOther(`/numeros/${id}`);
  }

  @Post('numeros/:id/anular')
  annul(
    @Param() { id }: NumberPath,
    @Body() body: object,
    @CurrentUser() user: SignedIn,
  ): Promise<PageAnswer> {
    const values = fieldsOf(body, ['reason']);
    return submit(
      rules.annul,
      async () => {
        const { reason } = readForm(AnnulmentDto, { reason: oneLine(values.reason) });
        await this.numbers.annul(user, id, reason);
        return new SeeOther(`/numeros/${id}?feito=anulado`);
      },
      async (problem) => annulPage(user, toNumberDto(await this.numbers.find(id)), { values, problem }),
    );
  }

  /** Only active types have a next number. */
  private async nextOf(documentTypeId: string): Promise<NextNumberDto> {
    const id = documentTypeId.toLowerCase();
    const next = (await this.numbers.next()).find((number) => number.documentTypeId === id);
    if (next) return next;
    const { name } = await this.types.find(id);
    throw new AppError('conflict', 'document-type-inactive', `${name} takes no numbers any more`);
  }
}

/** Whom the links are shown to; whether they may is for the register to say. */
function offersChanges({ id, role }: SignedIn, { state, user }: NumberDto): boolean {
  return state === 'issued' && (user.id === id || role === 'admin');
}

/** The form as it opens. */
function asStored(found: RegisteredNumber): AmendView {
  const number = toNumberDto(found);
  return { number, seen: found.latest.hash, state: { values: fieldsOf(number, DESCRIPTION_FIELDS) } };
}

/** Notes are typed into several lines. */
function inOneLine(values: FormFields): FormFields {
  const { notes } = values;
  return notes === undefined ? values : { ...values, notes: oneLine(notes) ?? '' };
}

/** The number a form got before it was changed and sent again. */
function numberOfForm(error: unknown): { id: string; formattedNumber: string } | undefined {
  if (!(error instanceof AppError) || error.code !== 'idempotency-key-reused') return undefined;
  const { id, formattedNumber } = error.details;
  return typeof id === 'string' && typeof formattedNumber === 'string' ? { id, formattedNumber } : undefined;
}
