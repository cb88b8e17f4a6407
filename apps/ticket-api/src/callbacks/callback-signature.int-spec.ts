import { DEVELOPMENT_CALLBACK_SECRET } from '@malote/http-delivery';
import { beforeEach, expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { type Answer, describeTicketApi, signedHeaders, type Signing } from '../testing/ticket-api.ts';

const NEW_SECRET = `whsec_${Buffer.from('the secret that comes next, soon').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.from('a secret that nobody ever shared').toString('base64')}`;
const callback = {
  businessEntity: 'TCK',
  businessDocId: '01-0107-0257-5200004',
  phaseCode: 15,
  status: 'Success',
};
const json = JSON.stringify(callback);
const MINUTE_MS = 60_000;
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

describeTicketApi(
  'a callback is believed',
  (api) => {
    beforeEach(() => api.post(shipmentTicket()));

    const expectRefused = async ({ status, headers, body }: Answer) => {
      expect([status, body.code]).toEqual([401, 'signature-invalid']);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(await api.tickets()).toMatchObject([
        { callbackStatus: 'Pending', callbackPayloadJson: null, callbackReceivedAt: null },
      ]);
    };

    it.each<[string, Signing]>([
      ['with the secret in use', {}],
      ['with the next secret, while they rotate', { secret: NEW_SECRET }],
      ['by a clock four minutes behind', { at: minutesFromNow(-4) }],
      ['by a clock four minutes ahead', { at: minutesFromNow(4) }],
    ])('when it is signed %s', async (_, signing) => {
      const { status, body } = await api.callBack(callback, signing);
      expect([status, body]).toEqual([200, { applied: true, callbackStatus: 'Success' }]);
    });

    it.each<[string, Signing]>([
      ['with another secret', { secret: OTHER_SECRET }],
      ['for another body', { signedBody: json.replace('Success', 'Error') }],
      ['for the same content in other bytes', { signedBody: JSON.stringify(callback, null, 1) }],
      ['six minutes ago', { at: minutesFromNow(-6) }],
      ['six minutes from now', { at: minutesFromNow(6) }],
    ])('not when it is signed %s', async (_, signing) => {
      await expectRefused(await api.callBack(json, signing));
    });

    it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('not without %s', async (name) => {
      const others = Object.entries(signedHeaders(json)).filter(([header]) => header !== name);
      await expectRefused(await api.sendCallback(json, Object.fromEntries(others)));
    });

    it.each([
      ['webhook-id', 'another'],
      ['webhook-timestamp', String(Math.floor(Date.now() / 1000) - 1)],
      ['webhook-timestamp', '1e3'],
      ['webhook-signature', 'v1,'],
      ['webhook-signature', 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ])('not with %s %s instead of its own', async (name, value) => {
      await expectRefused(await api.sendCallback(json, { ...signedHeaders(json), [name]: value }));
    });

    it('not with a signature of another version', async () => {
      const headers = signedHeaders(json);
      const signature = headers['webhook-signature']?.replace('v1,', 'v2,') ?? '';
      await expectRefused(await api.sendCallback(json, { ...headers, 'webhook-signature': signature }));
    });

    it('when one of several signatures is right', async () => {
      const headers = signedHeaders(json);
      const signature = `v1,AAAA v2,x ${headers['webhook-signature']}`;
      const answer = await api.sendCallback(json, { ...headers, 'webhook-signature': signature });
      expect(answer.status).toBe(200);
    });

    it('not for a token of ours', async () => {
      const token = await api.tokenOf('gateway');
      await expectRefused(await api.sendCallback(json, { authorization: `Bearer ${token}` }));
    });
  },
  { GATEWAY_CALLBACK_SECRET: `${DEVELOPMENT_CALLBACK_SECRET},${NEW_SECRET}` },
);
