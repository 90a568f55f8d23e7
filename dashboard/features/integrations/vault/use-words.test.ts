import { expect, test } from 'vitest'
import type { VaultUse } from '#contract/integrations/vault'
import { noteOf, placeOf } from './use-words.ts'

const use = (more: Partial<VaultUse>): VaultUse => ({
  secret: '00000000-0000-4000-8000-000000000000',
  kind: 'function',
  schema: 'public',
  owner: null,
  name: 'send_mail',
  through: null,
  reads: true,
  ...more,
})

test.each([
  [use({}), 'public.send_mail'],
  [use({ kind: 'cron', schema: null, name: 'nightly' }), 'nightly'],
  [use({ kind: 'trigger', owner: 'orders', name: 'on_order' }), 'on_order of public.orders'],
  [use({ kind: 'server', schema: null, name: 'billing' }), 'billing'],
  [
    use({ kind: 'mapping', schema: null, owner: 'postgres', name: 'billing' }),
    'postgres on billing',
  ],
])('$kind is known by its place', (one, words) => {
  expect(placeOf(one)).toBe(words)
})

test('what reads the vault by another, or perhaps not at all, says so', () => {
  expect(noteOf(use({}))).toBeUndefined()
  expect(noteOf(use({ kind: 'cron', through: 'public.send_mail' }))).toBe('Calls public.send_mail')
  expect(noteOf(use({ reads: false }))).toMatch(/does not mention the vault/)
})
