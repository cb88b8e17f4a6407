import { AppError } from '@malote/app-error';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentUser } from '../../auth/session.decorator.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import {
  NewNumberRangeDto,
  type NumberRangeDto,
  NumberRangePath,
  RangeChangeDto,
  toNumberRangeDto,
} from '../../ranges/number-range.dto.ts';
import { NumberRangesService } from '../../ranges/number-ranges.service.ts';
import { fieldsOf, oneLine, readForm, wholeNumber } from '../form-fields.ts';
import { type Html } from '../html.ts';
import { rules } from '../problem-messages.ts';
import { type PageAnswer, SeeOther } from '../page-answer.ts';
import { Pages } from '../page.decorator.ts';
import { submit } from '../submit.ts';
import { EMPTY, type FormState } from '../views/form.ts';
import { rangePage, rangesPage } from '../views/ranges.view.ts';

const DONE = new SeeOther('/admin/faixas?feito=faixa');

@Pages('admin', 'admin/faixas')
export class RangePages {
  constructor(private readonly ranges: NumberRangesService) {}

  @Get()
  list(@CurrentUser() admin: SignedIn, @Query() query: object): Promise<Html> {
    return this.renderList(admin, EMPTY, fieldsOf(query, ['feito']).feito);
  }

  @Post()
  create(@CurrentUser() admin: SignedIn, @Body() body: object): Promise<PageAnswer> {
    const values = fieldsOf(body, ['issuer', 'kind', 'series', 'lastNumber']);
    return submit(
      rules.range,
      async () => {
        const { issuer, series, lastNumber } = values;
        const range = readForm(NewNumberRangeDto, {
          ...values,
          issuer: issuer?.trim(),
          series: series?.trim(),
          ...(lastNumber !== undefined && { lastNumber: wholeNumber(lastNumber) }),
        });
        await this.ranges.create(admin, range);
        return DONE;
      },
      (problem) => this.renderList(admin, { values, problem }),
    );
  }

  @Get(':id')
  async show(@CurrentUser() admin: SignedIn, @Param() { id }: NumberRangePath): Promise<Html> {
    return rangePage(admin, { range: await this.find(id), state: EMPTY });
  }

  @Post(':id/bloquear')
  block(
    @CurrentUser() admin: SignedIn,
    @Param() { id }: NumberRangePath,
    @Body() body: object,
  ): Promise<PageAnswer> {
    return this.change(admin, id, body, (reason) => this.ranges.block(admin, id, reason));
  }

  @Post(':id/desbloquear')
  unblock(
    @CurrentUser() admin: SignedIn,
    @Param() { id }: NumberRangePath,
    @Body() body: object,
  ): Promise<PageAnswer> {
    return this.change(admin, id, body, (reason) => this.ranges.unblock(admin, id, reason));
  }

  private change(
    admin: SignedIn,
    id: string,
    body: object,
    work: (reason: string) => Promise<unknown>,
  ): Promise<PageAnswer> {
    const values = fieldsOf(body, ['reason']);
    return submit(
      rules.range,
      async () => {
        await work(readForm(RangeChangeDto, { reason: oneLine(values.reason) }).reason);
        return DONE;
      },
      async (problem) => rangePage(admin, { range: await this.find(id), state: { values, problem } }),
    );
  }

  private async renderList(admin: SignedIn, state: FormState, done?: string): Promise<Html> {
    return rangesPage(admin, { ranges: await this.all(), state, done });
  }

  private async find(id: string): Promise<NumberRangeDto> {
    const range = (await this.all()).find((one) => one.id === id);
    if (!range) throw new AppError('not-found', 'range-unknown', 'There is no such range');
    return range;
  }

  private async all(): Promise<NumberRangeDto[]> {
    return (await this.ranges.list()).map(toNumberRangeDto);
  }
}
