import { Global, Module } from '@nestjs/common';
import { AdminActions } from '../admin-actions/admin-actions.ts';
import { AdminActionsController } from '../admin-actions/admin-actions.controller.ts';
import { Clock, SystemClock } from '../clock.ts';
import { UserRepository } from '../users/user.repository.ts';
import { UsersController } from '../users/users.controller.ts';
import { UsersService } from '../users/users.service.ts';
import { AuthController } from './auth.controller.ts';
import { AuthHousekeeping } from './housekeeping.ts';
import { LoginService } from './login.service.ts';
import { LoginThrottleRepository } from './login-throttle.repository.ts';
import { LoginThrottle } from './login-throttle.service.ts';
import { PasswordHashing } from './password-hashing.ts';
import { PasswordService } from './password.service.ts';
import { SessionCookie } from './session-cookie.ts';
import { SessionGuard } from './session.guard.ts';
import { SessionRepository } from './session.repository.ts';
import { SessionTokens } from './session-tokens.ts';
import { Sessions } from './sessions.ts';

const SHARED = [
  { provide: Clock, useClass: SystemClock },
  AdminActions,
  UserRepository,
  UsersService,
  SessionRepository,
  SessionTokens,
  SessionCookie,
  Sessions,
  SessionGuard,
  PasswordHashing,
  PasswordService,
  LoginService,
  LoginThrottle,
  LoginThrottleRepository,
];

/** Who may use the service. Global, because every route of a clerk is guarded by it. Needs `PersistenceModule`. */
@Global()
@Module({
  controllers: [AuthController, UsersController, AdminActionsController],
  providers: [...SHARED, AuthHousekeeping],
  exports: SHARED,
})
export class AuthModule {}
