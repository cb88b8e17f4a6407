import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Public, Scopes, ServiceConfig } from '@malote/service-kit';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { Controller, Get, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

@Controller()
class DoorController {
  @Public()
  @Get('open')
  open() {
    return {};
  }

  @Scopes('tickets:read')
  @Get('door')
  door() {
    return { opened: true };
  }
}

@Module({ controllers: [DoorController] })
class DoorModule {}

describe('npm run token', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({
      name: 'door',
      description: 'Has one door.',
      configClass: ServiceConfig,
      module: () => DoorModule,
    });
  });

  afterAll(() => service.close());

  const command = (args: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(
      process.execPath,
      [join(root, 'tools/run.js'), join(root, 'tools/token/src/main.ts'), ...args],
      {
        cwd: service.folder,
        env: { PATH: process.env.PATH ?? '', DEV_KEY_PATH: service.config.devKeyPath, ...env },
        encoding: 'utf8',
      },
    );

  it('prints a token, and nothing else, that a local service lets in by its scopes', async () => {
    const able = command(['--sub', 'partner-a', '--scope', 'tickets:write tickets:read']);
    const unable = command(['--sub', 'partner-a', '--scope', 'tickets:write']);

    expect(able).toMatchObject({ status: 0, stderr: '' });
    expect((await service.fetch('/door', { token: able.stdout.trim() })).status).toBe(200);
    expect((await service.fetch('/door', { token: unable.stdout.trim() })).status).toBe(403);
  });

  it('makes none for services that check with another key', () => {
    const issued = command(['--sub', 'a'], { JWT_JWKS_URL: 'https://issuer.example/keys' });
    expect(issued).toMatchObject({
      status: 78,
      stdout: '',
      stderr: expect.stringContaining('development key'),
    });
  });

  it('explains itself when it is called wrongly', () => {
    const issued = command(['--scope', 'tickets:read']);
    expect(issued).toMatchObject({ status: 64, stdout: '', stderr: expect.stringContaining('--sub NAME') });
  });
});
