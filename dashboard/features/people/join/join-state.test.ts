import { expect, test } from 'vitest'
import { CallError } from '../../../api/call-error.ts'
import { joinState } from './join-state.ts'

const invitation = {
  organization_slug: 'acme',
  organization_name: 'Acme',
  invited_email: 'ann@example.com',
  invited_by: 'olga@example.com',
  role: 'Developer' as const,
  projects: null,
  expires_at: '2026-01-01T00:00:00.000Z',
}
const refused = (code: number, reason: string) => ({ error: new CallError('No', { code, reason }) })

test.each([
  ['nobody is signed in', { invitation }, undefined, [], 'signed-out'],
  ['the invited person is', { invitation }, 'Ann@Example.com', ['other'], 'valid'],
  ['somebody else is', { invitation }, 'eve@example.com', [], 'wrong-address'],
  ['a member is', { invitation }, 'ann@example.com', ['acme'], 'member'],
  ['a member is, with a used link', refused(404, 'x'), 'ann@example.com', ['acme'], 'member'],
  ['it is over', refused(410, 'invitation_expired'), undefined, [], 'expired'],
  ['it is used or revoked', refused(404, 'invitation_not_found'), undefined, [], 'unknown'],
  ['the link is cut', refused(400, 'invalid_input'), 'ann@example.com', [], 'unknown'],
] as const)('when %s', (_, found, email, slugs, is) => {
  expect(joinState('acme', found, email, slugs).is).toBe(is)
})

test.each([refused(0, ''), refused(500, 'internal'), refused(429, 'rate_limited')])(
  'a failure says nothing about the invitation',
  (found) => {
    expect(() => joinState('acme', found, undefined, [])).toThrow('No')
  },
)
