import { type Log } from '@malote/service-kit';
import { Gateway } from './gateway/gateway.ts';
import { type Ledger } from './ledger.ts';
import { type Peer } from './peer.ts';
import { type SandboxConfig } from './sandbox.config.ts';

/** Everybody outside; a new one is a folder and a line. */
export function createPeers(config: SandboxConfig, ledger: Ledger, log: Log): readonly Peer[] {
  return [new Gateway(config, ledger, log)];
}
