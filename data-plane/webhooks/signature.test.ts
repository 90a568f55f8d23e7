import { expect, test } from 'vitest'
import { webhookHeaders } from './signature.ts'

/** The example of the convention's own documents. */
const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  keys: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
}

test('a call is signed as the convention says', () => {
  expect(webhookHeaders(example)).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('two secrets sign while one takes the place of the other; without one nothing does', () => {
  const both = webhookHeaders({ ...example, keys: ['whsec_AAAA', ...example.keys] })
  expect(both['webhook-signature']?.split(' ')).toEqual([
    expect.stringMatching(/^v1,/) as string,
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ])
  expect(Object.keys(webhookHeaders({ ...example, keys: [] }))).toEqual([
    'webhook-id',
    'webhook-timestamp',
  ])
})

test('any other body, id or time has another signature', () => {
  const of = (part: Partial<typeof example>) =>
    webhookHeaders({ ...example, ...part })['webhook-signature']
  const all = [of({}), of({ body: '{}' }), of({ id: 'msg_x' }), of({ timestamp: 1 })]
  expect(new Set(all).size).toBe(4)
})
