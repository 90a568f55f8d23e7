import { expect, test } from 'vitest'
import type { Permission } from '#contract/permissions'
import { billingBanners, dayOf } from './billing-banners.ts'

const organization = (slug: string, more: object = {}) => ({
  id: slug.length,
  slug,
  name: slug.toUpperCase(),
  billing_partner: null,
  organization_missing_address: false,
  restriction_status: null,
  restriction_data: null,
  restriction_cause: null,
  ...more,
})
const permission = (slug: string, actions: string[]): Permission => ({
  actions,
  condition: null,
  organization_id: slug.length,
  organization_slug: slug,
  project_ids: [],
  project_refs: [],
  resources: ['%'],
  restrictive: false,
})
const owner = ['acme', 'books'].map((slug) => permission(slug, ['%']))
const owes = (slug: string, count = 1) => ({
  organization_id: slug.length,
  overdue_invoice_count: count,
})
const facts = {
  organizations: [organization('acme'), organization('books')],
  overdue: [],
  permissions: owner,
  slug: 'acme',
}
const titles = (more: object) => billingBanners({ ...facts, ...more }).map(({ title }) => title)

test('who is in good standing sees nothing, nor does who owes no invoice', () => {
  expect(titles({})).toEqual([])
  expect(titles({ overdue: [owes('acme', 0)] })).toEqual([])
  expect(titles({ organizations: [], overdue: [owes('acme')] })).toEqual([])
})

test.each([
  ['grace_period', 'Organization plan has exceeded its quota', 'warning'],
  ['grace_period_over', 'Grace period is over', 'warning'],
  ['restricted', 'Services Restricted', 'danger'],
] as const)('%s says "%s"', (restriction_status, title, variant) => {
  const restriction_data = { grace_period_end: '2025-12-02T12:00:00Z' }
  const [banner, ...rest] = billingBanners({
    ...facts,
    organizations: [organization('acme', { restriction_status, restriction_data })],
  })
  expect(rest).toEqual([])
  expect(banner).toMatchObject({ title, variant, to: '/org/acme/billing' })
  expect(banner?.text.includes('02 Dec, 2025')).toBe(restriction_status === 'grace_period')
})

test.each([
  ['overdue', '/org/acme/billing', 'to pay its overdue invoices'],
  ['quota', '/org/acme/usage', 'to upgrade or to use less'],
  ['operator', '/org/acme/billing', 'to contact support'],
] as const)('a restriction for %s names its cause and its way out', (cause, to, remedy) => {
  const of = (restriction_status: string) =>
    billingBanners({
      ...facts,
      organizations: [organization('acme', { restriction_status, restriction_cause: cause })],
    })[0]
  for (const status of ['grace_period', 'grace_period_over']) {
    expect(of(status)?.to).toBe(to)
    expect(of(status)?.text).toContain(remedy)
  }
  expect(of('restricted')?.text.includes('exported and deleted')).toBe(cause === 'quota')
})

test('overdue invoices here and elsewhere are two banners, each leading to its own invoices', () => {
  const both = billingBanners({ ...facts, overdue: [owes('books'), owes('acme')] })
  expect(both).toMatchObject([
    { title: 'Outstanding Invoices', to: '/org/acme/billing', hash: 'invoices' },
    {
      title: 'Outstanding Invoices in other Organization',
      to: '/org/books/billing',
      hash: 'invoices',
    },
  ])
})

test('above the organizations none of them is the other one', () => {
  expect(titles({ slug: undefined, overdue: [owes('books')] })).toEqual(['Outstanding Invoices'])
})

test('missing billing information is about this organization, unless a partner bills it', () => {
  const missing = { organization_missing_address: true }
  const [banner] = billingBanners({ ...facts, organizations: [organization('acme', missing)] })
  expect(banner).toMatchObject({
    title: 'Missing Billing Information',
    to: '/org/acme/billing',
    hash: 'address',
  })
  for (const billing_partner of ['vercel_marketplace', 'aws_marketplace'])
    expect(
      titles({ organizations: [organization('acme', { ...missing, billing_partner })] }),
    ).toEqual([])
  expect(titles({ slug: 'books', organizations: [organization('acme', missing)] })).toEqual([])
})

test('without the billing permission there is none of it, whatever the state', () => {
  const worst = organization('acme', {
    organization_missing_address: true,
    restriction_status: 'restricted',
  })
  const all = { organizations: [worst], overdue: [owes('acme')] }
  expect(titles(all)).toHaveLength(3)
  for (const actions of [['billing:Read', 'read:Read'], ['tenant:Sql:%'], []])
    expect(titles({ ...all, permissions: [permission('acme', actions)] })).toEqual([])
  expect(titles({ ...all, permissions: [permission('books', ['%'])] })).toEqual([])
})

test('a day is two digits, a month of three letters and the year', () => {
  expect(dayOf('2025-12-02T12:00:00Z')).toBe('02 Dec, 2025')
  expect(dayOf('2026-05-31T12:00:00Z')).toBe('31 May, 2026')
})
