import { Body, Get, Post, Query } from '@nestjs/common';
import { CurrentUser } from '../../auth/session.decorator.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import { DocumentTypesService } from '../../document-types/document-types.service.ts';
import { AdjustmentDto } from '../../sequences/sequence.dto.ts';
import { SequencesService } from '../../sequences/sequences.service.ts';
import { fieldsOf, oneLine, readForm, wholeNumber } from '../form-fields.ts';
import { type Html } from '../html.ts';
import { rules } from '../problem-messages.ts';
import { type PageAnswer, SeeOther } from '../page-answer.ts';
import { Pages } from '../page.decorator.ts';
import { submit } from '../submit.ts';
import { EMPTY, type FormState } from '../views/form.ts';
import { sequencesPage } from '../views/sequences.view.ts';

@Pages('admin', 'admin/sequencias')
export class SequencePages {
  constructor(
    private readonly sequences: SequencesService,
    private readonly types: DocumentTypesService,
  ) {}

  @Get()
  list(@CurrentUser() admin: SignedIn, @Query() query: object): Promise<Html> {
    return this.render(admin, EMPTY, fieldsOf(query, ['feito']).feito);
  }

  @Post()
  adjust(@CurrentUser() admin: SignedIn, @Body() body: object): Promise<PageAnswer> {
    const values = fieldsOf(body, ['documentTypeId', 'lastNumber', 'justification']);
    return submit(
      rules.sequence,
      async () => {
        const adjustment = readForm(AdjustmentDto, {
          ...values,
          lastNumber: wholeNumber(values.lastNumber),
          justification: oneLine(values.justification),
        });
        await this.sequences.adjust(admin, adjustment);
        return new SeeOther('/admin/sequencias?feito=sequencia');
      },
      (problem) => this.render(admin, { values, problem }),
    );
  }

  private async render(admin: SignedIn, state: FormState, done?: string): Promise<Html> {
    const [sequences, adjustments, types] = await Promise.all([
      this.sequences.list(),
      this.sequences.adjustments(),
      this.types.list({ isActive: true }),
    ]);
    return sequencesPage(admin, {
      sequences,
      adjustments,
      types: types.map(({ id, name }) => ({ value: id, label: name })),
      state,
      done,
    });
  }
}
