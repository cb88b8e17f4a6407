import { type FaultValues } from '../faults/fault-dial.ts';
import { chance, rangeMs } from '../faults/setting.ts';
import { WIRE_FAULTS } from '../faults/wire-faults.ts';

export const GATEWAY_FAULTS = {
  ...WIRE_FAULTS,
  callbackError: chance,
  duplicateCallbacks: chance,
  reorderCallbacks: chance,
  callbackDelayMs: rangeMs(50, 250),
};

export type GatewayFaults = FaultValues<typeof GATEWAY_FAULTS>;
