import { expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { ProbeConfig } from '../testing/probe.service.ts';
import { startTestService } from '../testing/start-test-service.ts';
import { Public } from './access.decorator.ts';

@Controller('forgetful')
class ForgetfulController {
  @Get()
  forgotten() {
    return {};
  }

  @Public()
  @Get('fine')
  fine() {
    return {};
  }
}

@Module({ controllers: [ForgetfulController] })
class ForgetfulModule {}

it('does not start with a route that declares no access', async () => {
  const start = startTestService({
    name: 'forgetful',
    description: 'Has a route that nobody thought about.',
    configClass: ProbeConfig,
    module: () => ForgetfulModule,
  });

  await expect(start).rejects.toThrow('Routes without @Scopes() or @Public(): ForgetfulController.forgotten');
});
