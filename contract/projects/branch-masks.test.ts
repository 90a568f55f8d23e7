import { expect, test } from 'vitest'
import { BranchMask, maskProblem, type MaskedColumn, type MaskKind } from './branch-masks.ts'

const plain: MaskedColumn = {
  is_table: true,
  of_extension: false,
  is_text: true,
  max_length: null,
  not_null: false,
  generated: false,
  linked: false,
  unique: false,
  of_partition_key: false,
  fires: null,
  id_column: null,
}
const mask = (kind: MaskKind, column = 'public.people.email', text = ''): BranchMask => {
  const [schema = '', table = '', name = ''] = column.split('.')
  return { schema, table, column: name, kind, text }
}

test.each([
  ['null', { not_null: true }, /cannot be null/],
  ['null', { linked: true }, /foreign key/],
  ['hash', { is_text: false }, /not a text/],
  ['hash', { max_length: 31 }, /holds 31 characters/],
  ['fake_email', { max_length: 59 }, /holds 59 characters/],
  ['empty', { unique: true }, /is unique/],
  ['fixed', { unique: true }, /is unique/],
  ['null', { generated: true }, /generated/],
  ['null', { of_partition_key: true }, /partition key/],
  ['null', { of_extension: true }, /not a column of a table/],
  ['null', { is_table: false }, /not a column of a table/],
  ['null', { fires: 'trigger x' }, /trigger x of its table always fires/],
] as const)('%s is refused for %j', (kind, more, why) => {
  expect(maskProblem(mask(kind), { ...plain, ...more })).toMatch(why)
  expect(maskProblem(mask(kind), plain)).toBeUndefined()
})

test('what is null stays null, so a unique column can be null or hashed; numbers can be null', () => {
  expect(maskProblem(mask('hash'), { ...plain, unique: true, not_null: true })).toBeUndefined()
  expect(maskProblem(mask('null'), { ...plain, unique: true })).toBeUndefined()
  expect(maskProblem(mask('null'), { ...plain, is_text: false })).toBeUndefined()
})

test('of what the platform keeps, the addresses of users can be masked and nothing else', () => {
  for (const column of ['auth.users.email', 'auth.users.phone'])
    expect(maskProblem(mask('hash', column), plain)).toBeUndefined()
  for (const column of [
    'auth.users.encrypted_password',
    'auth.sessions.ip',
    'storage.objects.name',
    'vault.secrets.secret',
    'pg_catalog.pg_authid.rolpassword',
    'supabase_functions.hooks.hook_name',
  ])
    expect(maskProblem(mask('hash', column), plain)).toMatch(/belongs to the platform/)
  expect(maskProblem(mask('hash', 'private.people.email'), undefined)).toMatch(/does not exist/)
})

test('a fixed text has to be there, and no name or text has a NUL', () => {
  expect(BranchMask.safeParse(mask('fixed')).success).toBe(false)
  expect(BranchMask.safeParse(mask('fixed', 'a.b.c', 'x')).success).toBe(true)
  expect(BranchMask.safeParse(mask('fixed', 'a.b.c', 'x\0')).success).toBe(false)
  expect(BranchMask.safeParse(mask('hash', 'a.b\0.c')).success).toBe(false)
  expect(BranchMask.safeParse({ ...mask('hash'), kind: 'other' }).success).toBe(false)
})
