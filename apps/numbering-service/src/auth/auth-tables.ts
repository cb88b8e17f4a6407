import { AdminActionEntity } from '../admin-actions/admin-action.entity.ts';
import { UserEntity } from '../users/user.entity.ts';
import { LoginThrottleEntity } from './login-throttle.entity.ts';
import { UserSessionEntity } from './user-session.entity.ts';

export const AUTH_TABLES = [UserEntity, UserSessionEntity, LoginThrottleEntity, AdminActionEntity] as const;
