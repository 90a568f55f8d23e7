import { expect, test } from 'vitest'
import { candidatesFor, scopesOf } from './index-candidates.ts'
import { parseSql } from '../parser.ts'
import { authLints } from './lint-auth.ts'
import { isVulnerable } from './lints.ts'

const known = { alias: 'o', columns: new Set(['id', 'customer', 'paid', 'at']) }
const listsOf = async (sql: string, table = known) =>
  scopesOf(await parseSql(sql)).flatMap((scope) => candidatesFor(table, scope))

test.each([
  [
    'equality first, then the range',
    'customer = $1 and at > $2',
    [['customer', 'at'], ['customer'], ['at']],
  ],
  ['either side of the sign', '$1 = customer', [['customer']]],
  ['a list of values', 'customer in ($1, $2)', [['customer']]],
  ['any of an array', 'customer = any ($1)', [['customer']]],
  ['between', 'at between $1 and $2', [['at']]],
  [
    'each of two alternatives',
    'customer = $1 or paid = $2',
    [['customer', 'paid'], ['customer'], ['paid']],
  ],
])('%s', async (_what, condition, expected) => {
  const lists = await listsOf(`select * from orders o where ${condition}`)
  expect(lists.toSorted((a, b) => b.length - a.length)).toEqual(expect.arrayContaining(expected))
  expect(lists).toHaveLength(expected.length)
})

test.each([
  ['no condition', 'select * from orders o'],
  ['a condition on something else', 'select * from orders o, other x where x.customer = $1'],
  ['a function of the column', 'select * from orders o where lower(customer) = $1'],
  ['a negation', 'select * from orders o where not (customer = $1)'],
  ['a column that is not there', 'select * from orders o where nothing = $1'],
])('%s wants no index', async (_what, sql) => {
  expect(await listsOf(sql)).toEqual([])
})

test.each([
  ['a join', 'select * from people p join orders o on o.customer = p.id'],
  ['a subquery', 'select (select count(*) from orders o where o.customer = p.id) from people p'],
  [
    'a common table expression',
    'with x as (select * from orders o where customer = $1) select * from x',
  ],
  ['half of a union', 'select 1 union all select id from orders o where customer = $1'],
  ['an update', 'update orders o set paid = true where customer = $1'],
  ['a delete with others', 'delete from people p using orders o where o.customer = p.id'],
])('%s is looked into', async (_what, sql) => {
  expect(await listsOf(sql)).toContainEqual(['customer'])
})

test('what is sorted by comes last', async () => {
  expect(await listsOf('select * from orders o where paid = $1 order by at desc')).toContainEqual([
    'paid',
    'at',
  ])
})

test('versions with known holes, by the number of the server', () => {
  for (const version of [130_023, 140_019, 160_010, 170_006, 180_000])
    expect(isVulnerable(version), String(version)).toBe(true)
  for (const version of [140_020, 160_011, 170_010, 180_004, 190_000])
    expect(isVulnerable(version), String(version)).toBe(false)
})

test('the auth service is judged by its settings, found and gone', () => {
  const good = {
    emailEnabled: true,
    otpLength: 6,
    otpExpirySeconds: 3600,
    mfaTotpEnabled: true,
    leakedPasswordsRefused: true,
  }
  expect(authLints(good)).toEqual({ found: [], skipped: [] })
  const bad = {
    ...good,
    otpLength: 4,
    otpExpirySeconds: 7200,
    mfaTotpEnabled: false,
    leakedPasswordsRefused: false,
  }
  expect(authLints(bad).found.map(({ name }) => name)).toEqual([
    'auth_otp_long_expiry',
    'auth_otp_short_length',
    'auth_insufficient_mfa_options',
    'auth_leaked_password_protection',
  ])
  // Codes that are never sent can live as long as they like.
  expect(authLints({ ...bad, emailEnabled: false }).found.map(({ name }) => name)).not.toContain(
    'auth_otp_long_expiry',
  )
  const unknown = authLints({ ...good, leakedPasswordsRefused: undefined })
  expect(unknown.skipped.map(({ name }) => name)).toEqual(['auth_leaked_password_protection'])
})
