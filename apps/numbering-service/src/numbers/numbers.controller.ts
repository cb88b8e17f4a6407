import { AppError } from '@malote/app-error';
import { idempotencyKeyFrom } from '@malote/idempotency';
import { Log } from '@malote/service-kit';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, ForUsers } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import {
  AnnulmentDto,
  AuditDto,
  AuditQuery,
  DescriptionDto,
  NewNumberDto,
  NextNumberListDto,
  NumberDto,
  NumberHistoryDto,
  NumberPageDto,
  NumberPath,
  TakenNumberDto,
  toNumberDto,
  toNumberEventDto,
  toTakenNumberDto,
} from './number.dto.ts';
import { NumbersService } from './numbers.service.ts';
import { registerFile } from './register-csv.ts';
import { RegisterFilter, RegisterQuery } from './register.query.ts';

@ForUsers()
@Controller('api/numbers')
export class NumbersController {
  constructor(
    private readonly numbers: NumbersService,
    private readonly log: Log,
  ) {}

  @ApiOperation({
    summary: 'Take the next number of a document type',
    description:
      'Numbers begin with 1 each year, by the clock of São Paulo. The same Idempotency-Key is the same number, for as long as the ' +
      'register is kept, which is for ever.',
  })
  @ApiHeader({ name: 'Idempotency-Key', required: true })
  @ApiCreatedResponse({ type: TakenNumberDto })
  @ApiOkResponse({ type: TakenNumberDto, description: 'The number this key got before' })
  @ApiNotFoundResponse({ description: 'There is no such document type' })
  @ApiConflictResponse({
    description: 'The type takes no numbers any more, or the Idempotency-Key was used for another number',
  })
  @Post()
  async take(
    @Body() number: NewNumberDto,
    @Headers('idempotency-key') header: string | undefined,
    @CurrentUser() user: SignedIn,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TakenNumberDto> {
    const key = idempotencyKeyFrom(header);
    if (key === undefined) {
      throw new AppError(
        'invalid',
        'idempotency-key-missing',
        'Send an Idempotency-Key: a retry is then no second number',
      );
    }
    const answer = toTakenNumberDto(await this.numbers.take(user, number, key));
    if (answer.outcome === 'created') void reply.header('location', `/api/numbers/${answer.id}`);
    else void reply.status(200);
    return answer;
  }

  @ApiOperation({ summary: 'The register, newest first' })
  @ApiOkResponse({ type: NumberPageDto })
  @Get()
  async list(@Query() filter: RegisterQuery): Promise<NumberPageDto> {
    const { items, next } = await this.numbers.list(filter);
    return { items: items.map(toNumberDto), ...(next !== undefined && { next }) };
  }

  @ApiOperation({
    summary: 'The register as CSV',
    description:
      'All that match, newest first; UTF-8 with a byte order mark, separated by semicolons, for spreadsheets.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @Get('export')
  export(@Query() filter: RegisterFilter): Promise<StreamableFile> {
    return registerFile(this.numbers.all(filter), this.log);
  }

  @ApiOperation({ summary: 'What each active document type would give out next' })
  @ApiOkResponse({ type: NextNumberListDto })
  @Get('next')
  async next(): Promise<NextNumberListDto> {
    return { items: await this.numbers.next() };
  }

  @ApiOperation({
    summary: 'Prove that the register is complete',
    description:
      'Reads every entry: no gap, no number twice, every chain of hashes intact. Names the first break of each sequence.',
  })
  @ApiOkResponse({ type: AuditDto })
  @Get('audit')
  audit(@Query() query: AuditQuery): Promise<AuditDto> {
    return this.numbers.audit(query);
  }

  @ApiOperation({ summary: 'One number' })
  @ApiOkResponse({ type: NumberDto })
  @ApiNotFoundResponse({ description: 'There is no such number' })
  @Get(':id')
  async find(@Param() { id }: NumberPath): Promise<NumberDto> {
    return toNumberDto(await this.numbers.find(id));
  }

  @ApiOperation({ summary: 'All that happened to a number, oldest first' })
  @ApiOkResponse({ type: NumberHistoryDto })
  @ApiNotFoundResponse({ description: 'There is no such number' })
  @Get(':id/history')
  async history(@Param() { id }: NumberPath): Promise<NumberHistoryDto> {
    return { items: (await this.numbers.history(id)).map(toNumberEventDto) };
  }

  @ApiOperation({
    summary: 'Say something else of a number',
    description: 'What is absent stays as it is. The register keeps what was said before, by whom and when.',
  })
  @ApiOkResponse({ type: NumberDto })
  @ApiNotFoundResponse({ description: 'There is no such number' })
  @ApiForbiddenResponse({ description: 'Somebody else took it, and you are no admin' })
  @ApiConflictResponse({ description: 'It was annulled' })
  @Patch(':id')
  async amend(
    @Param() { id }: NumberPath,
    @Body() changes: DescriptionDto,
    @CurrentUser() user: SignedIn,
  ): Promise<NumberDto> {
    return toNumberDto(await this.numbers.amend(user, id, changes));
  }

  @ApiOperation({
    summary: 'Annul a number',
    description:
      'It stays in the register and is never given out again. Who took it may, and so may any admin.',
  })
  @ApiOkResponse({ type: NumberDto })
  @ApiNotFoundResponse({ description: 'There is no such number' })
  @ApiForbiddenResponse({ description: 'Somebody else took it, and you are no admin' })
  @ApiConflictResponse({ description: 'It was annulled before' })
  @HttpCode(200)
  @Post(':id/annulment')
  async annul(
    @Param() { id }: NumberPath,
    @Body() { reason }: AnnulmentDto,
    @CurrentUser() user: SignedIn,
  ): Promise<NumberDto> {
    return toNumberDto(await this.numbers.annul(user, id, reason));
  }
}
