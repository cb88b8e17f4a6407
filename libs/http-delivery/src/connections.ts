import { buildConnector, Pool } from 'undici';
import { type AddressGuard } from './address-guard.ts';
import { RecentlyUsed } from './recently-used.ts';
import { TargetAgent, type TargetAgentOptions } from './target-agent.ts';

const MAX_POOLS = 1_000;

/** Keep-alive pools, one per origin and client certificate. */
export class Connections {
  private readonly pools: RecentlyUsed<string, Pool>;
  private agents = 0;
  private closed = false;

  constructor(
    private readonly guard: AddressGuard,
    private readonly connectTimeoutMs: number,
    maxPools = MAX_POOLS,
  ) {
    // Closing lets requests under way finish; a new one to the same origin opens a new pool.
    this.pools = new RecentlyUsed(maxPools, (pool) => void pool.close());
  }

  isClosedTo(agent?: TargetAgent): boolean {
    return this.closed || agent?.isClosed === true;
  }

  poolTo(origin: string, agent?: TargetAgent): Pool {
    const key = agent?.secureContext ? `${agent.id} ${origin}` : origin;
    const known = this.pools.get(key);
    if (known) return known;
    const pool = this.open(origin, agent);
    this.pools.set(key, pool);
    return pool;
  }

  openAgent(options: TargetAgentOptions): TargetAgent {
    return new TargetAgent(++this.agents, options, ({ id }) => this.release(id));
  }

  /** Ends what is under way, too. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.pools.take(() => true).map((pool) => pool.destroy()));
  }

  private async release(agentId: number): Promise<void> {
    const pools = this.pools.take((key) => key.startsWith(`${agentId} `));
    await Promise.all(pools.map((pool) => pool.close()));
  }

  private open(origin: string, agent: TargetAgent | undefined): Pool {
    const { secureContext } = agent ?? {};
    const connect = buildConnector({
      lookup: this.guard.lookup,
      timeout: this.connectTimeoutMs,
      ...(secureContext && { secureContext }),
    });
    // As many connections as requests: workers limit those, and one that waits for another's would run out of time.
    return new Pool(origin, { connections: null, pipelining: 1, connect: endingAtFirstError(connect) });
  }
}

/**
 * A server that refuses our certificate says so and closes. Node reports both and undici keeps the second, "other side
 * closed"; ending the connection at the first keeps the reason.
 */
function endingAtFirstError(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error: Error) => socket.destroy(error));
      callback(...result);
    });
  };
}
