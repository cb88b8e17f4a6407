import { MayBeAbsent, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../users/user.entity.ts';
import { MAX_EMAIL } from '../users/user-rules.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './password-rules.ts';
import type { IssuedSession, SignedIn } from './signed-in.ts';

/** Longer texts are no password of ours, and are not worth hashing. */
const MAX_TYPED = 1024;

@RefuseUnknownFields()
export class LoginDto {
  @IsString()
  @Length(1, MAX_EMAIL)
  email!: string;

  @IsString()
  @Length(1, MAX_TYPED)
  password!: string;
}

@RefuseUnknownFields()
export class PasswordChangeDto {
  /** Not needed after a login with a temporary password. */
  @MayBeAbsent()
  @IsString()
  @Length(1, MAX_TYPED)
  currentPassword?: string;

  @ApiProperty({
    type: String,
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    description: 'Any characters; several words do well',
  })
  @IsString()
  @MaxLength(MAX_TYPED)
  newPassword!: string;
}

export class SessionUserDto {
  @ApiProperty({ type: String, format: 'uuid' }) id!: string;
  @ApiProperty({ type: String }) name!: string;
  @ApiProperty({ type: String }) email!: string;
  @ApiProperty({ enum: ROLES }) role!: Role;
}

export class MeDto {
  @ApiProperty({ type: SessionUserDto })
  user!: SessionUserDto;

  @ApiProperty({ type: Boolean, description: 'Until then, only this, the change and the logout are open' })
  mustChangePassword!: boolean;
}

export class SessionDto extends MeDto {
  @ApiProperty({ type: String, description: 'For `Authorization: Bearer`' })
  accessToken!: string;

  @ApiProperty({ type: String, enum: ['Bearer'] })
  tokenType!: 'Bearer';

  @ApiProperty({ type: Number, description: 'Ask for the next one before that' })
  expiresInSeconds!: number;
}

export function toMeDto({ id, name, email, role, mustChangePassword }: SignedIn): MeDto {
  return { user: { id, name, email, role }, mustChangePassword };
}

export function toSessionDto({ signedIn, tokens }: IssuedSession): SessionDto {
  const { user, mustChangePassword } = toMeDto(signedIn);
  const { accessToken, accessExpiresInSeconds: expiresInSeconds } = tokens;
  return { accessToken, tokenType: 'Bearer', expiresInSeconds, user, mustChangePassword };
}
