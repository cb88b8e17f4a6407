import { expect, it } from '@jest/globals';
import { GatewayAddresses } from './gateway-addresses.ts';

const addresses = new GatewayAddresses('https://gateway.example/v1/', {
  ASB: 'https://asb.example',
  X_1: 'https://x.example/',
});

it('adds the path of each kind to the gateway', () => {
  expect(addresses.functionalAck()).toBe('https://gateway.example/v1/functional-ack/v3');
  expect(addresses.ticketReturn('CRN')).toBe('https://gateway.example/v1/ticket-return');
  expect(addresses.tickets('CRN')).toBe('https://gateway.example/v1/tickets');
});

it.each([
  ['ASB', 'https://asb.example/tickets'],
  ['asb', 'https://asb.example/tickets'],
  ['x-1', 'https://x.example/tickets'],
])('sends what is for %s to its own address', (code, url) => {
  expect(addresses.tickets(code)).toBe(url);
});
