import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentUser, ForAdmins } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import {
  EndedSessionsDto,
  NewUserDto,
  toUserDto,
  UserChangesDto,
  UserDto,
  UserPath,
  UsersDto,
  UsersQuery,
  UserWithPasswordDto,
} from './user.dto.ts';
import { UsersService, type UserWithPassword } from './users.service.ts';

const UNKNOWN = { description: 'There is no such user' };

@ApiTags('users')
@ForAdmins()
@Controller('api/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @ApiOperation({ summary: 'Add a user, who gets a temporary password' })
  @ApiCreatedResponse({ type: UserWithPasswordDto })
  @ApiConflictResponse({ description: 'Another user has this e-mail address' })
  @Post()
  async create(@CurrentUser() actor: SignedIn, @Body() user: NewUserDto): Promise<UserWithPasswordDto> {
    return toUserWithPassword(await this.users.create(actor, user));
  }

  @ApiOperation({ summary: 'All users, by name' })
  @ApiOkResponse({ type: UsersDto })
  @Get()
  async list(@Query() { active }: UsersQuery): Promise<UsersDto> {
    const users = await this.users.list({ active: active === undefined ? undefined : active === 'true' });
    return { items: users.map(toUserDto) };
  }

  @ApiOperation({ summary: 'One user' })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(UNKNOWN)
  @Get(':id')
  async find(@Param() { id }: UserPath): Promise<UserDto> {
    return toUserDto(await this.users.find(id));
  }

  @ApiOperation({ summary: 'Change the name or the role; a role counts from the next request on' })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'It is you, or the last active admin, who would be one no more' })
  @Patch(':id')
  async update(
    @CurrentUser() actor: SignedIn,
    @Param() { id }: UserPath,
    @Body() changes: UserChangesDto,
  ): Promise<UserDto> {
    return toUserDto(await this.users.update(actor, id, changes));
  }

  @ApiOperation({ summary: 'Shut a user out; all sessions end at once' })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'It is you, or the last active admin' })
  @HttpCode(200)
  @Post(':id/deactivate')
  async deactivate(@CurrentUser() actor: SignedIn, @Param() { id }: UserPath): Promise<UserDto> {
    return toUserDto(await this.users.deactivate(actor, id));
  }

  @ApiOperation({ summary: 'Let a user in again, with the password of before if there is one' })
  @ApiOkResponse({ type: UserDto })
  @ApiNotFoundResponse(UNKNOWN)
  @HttpCode(200)
  @Post(':id/activate')
  async activate(@CurrentUser() actor: SignedIn, @Param() { id }: UserPath): Promise<UserDto> {
    return toUserDto(await this.users.activate(actor, id));
  }

  @ApiOperation({ summary: 'Replace the password by a temporary one; all sessions end at once' })
  @ApiOkResponse({ type: UserWithPasswordDto })
  @ApiNotFoundResponse(UNKNOWN)
  @ApiConflictResponse({ description: 'It is you: change your password instead; or the user is inactive' })
  @HttpCode(200)
  @Post(':id/reset-password')
  async resetPassword(
    @CurrentUser() actor: SignedIn,
    @Param() { id }: UserPath,
  ): Promise<UserWithPasswordDto> {
    return toUserWithPassword(await this.users.resetPassword(actor, id));
  }

  @ApiOperation({ summary: 'End all sessions of a user, who may log in again' })
  @ApiOkResponse({ type: EndedSessionsDto })
  @ApiNotFoundResponse(UNKNOWN)
  @HttpCode(200)
  @Post(':id/end-sessions')
  async endSessions(@CurrentUser() actor: SignedIn, @Param() { id }: UserPath): Promise<EndedSessionsDto> {
    return { ended: await this.users.endSessions(actor, id) };
  }
}

function toUserWithPassword({ user, temporaryPassword }: UserWithPassword): UserWithPasswordDto {
  return { user: toUserDto(user), temporaryPassword };
}
