import { MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsUUID, ValidateBy } from 'class-validator';
import { type Role, ROLES, type UserEntity } from './user.entity.ts';
import { MAX_EMAIL, MAX_NAME, MIN_NAME, normaliseEmail, normaliseName } from './user-rules.ts';

const text = { type: String } as const;
const flag = { type: Boolean } as const;
const moment = { type: String, format: 'date-time' } as const;
const momentOrNull = { ...moment, nullable: true } as const;

@RefuseUnknownFields()
export class NewUserDto {
  @ApiProperty({ ...text, format: 'email', maxLength: MAX_EMAIL, description: 'Kept in lower case; unique' })
  @IsAddress()
  email!: string;

  @ApiProperty({ ...text, minLength: MIN_NAME, maxLength: MAX_NAME })
  @IsPersonName()
  name!: string;

  @IsIn(ROLES)
  role!: Role;
}

@RefuseUnknownFields()
export class UserChangesDto {
  @ApiProperty({ ...text, required: false, minLength: MIN_NAME, maxLength: MAX_NAME })
  @MayBeAbsent()
  @IsPersonName()
  name?: string;

  @MayBeAbsent()
  @IsIn(ROLES)
  role?: Role;
}

export class UserPath {
  @IsUUID()
  id!: string;
}

@RefuseUnknownFields()
export class UsersQuery {
  @MayBeAbsent()
  @IsIn(['true', 'false'])
  active?: 'true' | 'false';
}

export class UserDto {
  @ApiProperty({ ...text, format: 'uuid' }) id!: string;
  @ApiProperty(text) email!: string;
  @ApiProperty(text) name!: string;
  @ApiProperty({ enum: ROLES }) role!: Role;
  @ApiProperty({ ...flag, description: 'Only active users can log in' }) isActive!: boolean;
  @ApiProperty(flag) mustChangePassword!: boolean;
  @ApiProperty({ ...momentOrNull, description: 'Set while a temporary password waits to be used' })
  temporaryPasswordExpiresAt!: Date | null;
  @ApiProperty(momentOrNull) lastLoginAt!: Date | null;
  @ApiProperty(moment) createdAt!: Date;
  @ApiProperty(moment) updatedAt!: Date;
}

export class UsersDto {
  @ApiProperty({ type: [UserDto], description: 'By name' })
  items!: UserDto[];
}

export class UserWithPasswordDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({ ...text, description: 'Shown this once; good for one login until it expires' })
  temporaryPassword!: string;
}

export class EndedSessionsDto {
  @ApiProperty({ type: Number, description: 'How many sessions were ended' })
  ended!: number;
}

export function toUserDto(user: UserEntity): UserDto {
  const { id, email, name, role, isActive, mustChangePassword } = user;
  const { temporaryPasswordExpiresAt, lastLoginAt, createdAt, updatedAt } = user;
  return {
    id,
    email,
    name,
    role,
    isActive,
    mustChangePassword,
    temporaryPasswordExpiresAt,
    lastLoginAt,
    createdAt,
    updatedAt,
  };
}

function IsAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isAddress',
    validator: {
      validate: (value) => typeof value === 'string' && normaliseEmail(value) !== undefined,
      defaultMessage: () => `$property must be an e-mail address of at most ${MAX_EMAIL} ASCII characters`,
    },
  });
}

function IsPersonName(): PropertyDecorator {
  return ValidateBy({
    name: 'isPersonName',
    validator: {
      validate: (value) => typeof value === 'string' && normaliseName(value) !== undefined,
      defaultMessage: () => `$property must have ${MIN_NAME} to ${MAX_NAME} characters`,
    },
  });
}
