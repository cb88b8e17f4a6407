import { type FastifyInstance } from 'fastify';
import { type FaultDial, type Settings } from './faults/fault-dial.ts';

/** Somebody outside whom the services talk to. Its routes lie below `/<name>`. */
export interface Peer {
  readonly name: string;
  /** The kinds of entries it writes into the ledger. */
  readonly kinds: readonly string[];
  /** What it answers to, for a person. */
  readonly addresses: readonly string[];
  readonly dial: FaultDial<Settings>;
  addRoutes(server: FastifyInstance): void;
  /** Empties its memory and drops what it still meant to do. */
  forget(): void;
  close(): Promise<void>;
}
