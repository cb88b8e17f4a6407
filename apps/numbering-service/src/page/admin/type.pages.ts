import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentUser } from '../../auth/session.decorator.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import {
  DocumentTypeChangesDto,
  DocumentTypePath,
  NewDocumentTypeDto,
  toDocumentTypeDto,
} from '../../document-types/document-type.dto.ts';
import { DocumentTypesService } from '../../document-types/document-types.service.ts';
import { type FormFields, fieldsOf, readForm, wholeNumber } from '../form-fields.ts';
import { type Html } from '../html.ts';
import { rules } from '../problem-messages.ts';
import { type PageAnswer, SeeOther } from '../page-answer.ts';
import { Pages } from '../page.decorator.ts';
import { submit } from '../submit.ts';
import { EMPTY, type FormState } from '../views/form.ts';
import { typePage, typesPage } from '../views/types.view.ts';

const FIELDS = ['name', 'prefix', 'sortOrder'] as const;

@Pages('admin', 'admin/tipos')
export class TypePages {
  constructor(private readonly types: DocumentTypesService) {}

  @Get()
  list(@CurrentUser() admin: SignedIn, @Query() query: object): Promise<Html> {
    return this.renderList(admin, EMPTY, fieldsOf(query, ['feito']).feito);
  }

  @Post()
  create(@CurrentUser() admin: SignedIn, @Body() body: object): Promise<PageAnswer> {
    const values = fieldsOf(body, FIELDS);
    return submit(
      rules.type,
      async () => {
        await this.types.create(admin, readForm(NewDocumentTypeDto, given(values)));
        return new SeeOther('/admin/tipos?feito=tipo');
      },
      (problem) => this.renderList(admin, { values, problem }),
    );
  }

  @Get(':id')
  show(
    @CurrentUser() admin: SignedIn,
    @Param() { id }: DocumentTypePath,
    @Query() query: object,
  ): Promise<Html> {
    return this.render(admin, id, {}, fieldsOf(query, ['feito']).feito);
  }

  @Post(':id')
  change(
    @CurrentUser() admin: SignedIn,
    @Param() { id }: DocumentTypePath,
    @Body() body: object,
  ): Promise<PageAnswer> {
    const values = fieldsOf(body, FIELDS);
    return submit(
      rules.type,
      async () => {
        // The form shows all there is: what was emptied is taken away, or wrong.
        const changes = { name: '', prefix: null, sortOrder: '', ...given(values) };
        await this.types.update(admin, id, readForm(DocumentTypeChangesDto, changes));
        return new SeeOther(`/admin/tipos/${id}?feito=tipo`);
      },
      (problem) => this.render(admin, id, { values, problem }),
    );
  }

  @Post(':id/desativar')
  deactivate(@CurrentUser() admin: SignedIn, @Param() { id }: DocumentTypePath): Promise<PageAnswer> {
    return this.setActive(admin, id, false);
  }

  @Post(':id/ativar')
  activate(@CurrentUser() admin: SignedIn, @Param() { id }: DocumentTypePath): Promise<PageAnswer> {
    return this.setActive(admin, id, true);
  }

  @Post(':id/remover')
  remove(@CurrentUser() admin: SignedIn, @Param() { id }: DocumentTypePath): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      await this.types.remove(admin, id);
      return new SeeOther('/admin/tipos?feito=tipo-removido');
    });
  }

  private setActive(admin: SignedIn, id: string, isActive: boolean): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      await this.types.update(admin, id, { isActive });
      return new SeeOther(`/admin/tipos/${id}?feito=tipo`);
    });
  }

  private act(admin: SignedIn, id: string, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
    return submit({}, work, (problem) => this.render(admin, id, { problem: { ...problem, fields: {} } }));
  }

  private async renderList(admin: SignedIn, state: FormState, done?: string): Promise<Html> {
    return typesPage(admin, { types: (await this.types.list()).map(toDocumentTypeDto), state, done });
  }

  private async render(
    admin: SignedIn,
    id: string,
    { values, problem }: Partial<FormState>,
    done?: string,
  ): Promise<Html> {
    const type = await this.types.find(id);
    const stored = {
      name: type.name,
      sortOrder: String(type.sortOrder),
      ...(type.prefix !== null && { prefix: type.prefix }),
    };
    return typePage(admin, {
      type: toDocumentTypeDto(type),
      state: { values: values ?? stored, problem },
      done,
    });
  }
}

function given({ sortOrder, ...texts }: FormFields): object {
  return { ...texts, ...(sortOrder !== undefined && { sortOrder: wholeNumber(sortOrder) }) };
}
