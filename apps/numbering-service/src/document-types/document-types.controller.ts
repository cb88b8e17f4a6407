import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { CurrentUser, ForAdmins, ForUsers } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import {
  DocumentTypeChangesDto,
  DocumentTypeDto,
  DocumentTypeListDto,
  DocumentTypePath,
  DocumentTypeQuery,
  NewDocumentTypeDto,
  toDocumentTypeDto,
} from './document-type.dto.ts';
import { DocumentTypesService } from './document-types.service.ts';

const UNKNOWN = { description: 'There is no such document type' };

@Controller('api/document-types')
export class DocumentTypesController {
  constructor(private readonly types: DocumentTypesService) {}

  @ApiOperation({ summary: 'Document types, in their order' })
  @ApiOkResponse({ type: DocumentTypeListDto })
  @ForUsers()
  @Get()
  async list(@Query() { active }: DocumentTypeQuery): Promise<DocumentTypeListDto> {
    const types = await this.types.list({ isActive: active === undefined ? undefined : active === 'true' });
    return { items: types.map(toDocumentTypeDto) };
  }

  @ApiOperation({ summary: 'One document type' })
  @ApiOkResponse({ type: DocumentTypeDto })
  @ApiNotFoundResponse(UNKNOWN)
  @ForUsers()
  @Get(':id')
  async find(@Param() { id }: DocumentTypePath): Promise<DocumentTypeDto> {
    return toDocumentTypeDto(await this.types.find(id));
  }

  @ApiOperation({ summary: 'Add a document type' })
  @ApiCreatedResponse({ type: DocumentTypeDto })
  @ApiConflictResponse({ description: 'Another active document type has this name' })
  @ForAdmins()
  @Post()
  async create(@Body() type: NewDocumentTypeDto, @CurrentUser() admin: SignedIn): Promise<DocumentTypeDto> {
    return toDocumentTypeDto(await this.types.create(admin, type));
  }

  @ApiOperation({
    summary: 'Change a document type, deactivate it or activate it again',
    description: 'Numbers that were taken keep the name and prefix of their day.',
  })
  @ApiOkResponse({ type: DocumentTypeDto })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'Another active document type has this name' })
  @ForAdmins()
  @Patch(':id')
  async update(
    @Param() { id }: DocumentTypePath,
    @Body() changes: DocumentTypeChangesDto,
    @CurrentUser() admin: SignedIn,
  ): Promise<DocumentTypeDto> {
    return toDocumentTypeDto(await this.types.update(admin, id, changes));
  }

  @ApiOperation({ summary: 'Remove a document type that never took a number' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'Numbers of this type have been taken' })
  @ForAdmins()
  @HttpCode(204)
  @Delete(':id')
  remove(@Param() { id }: DocumentTypePath, @CurrentUser() admin: SignedIn): Promise<void> {
    return this.types.remove(admin, id);
  }
}
