import { expect, test } from 'vitest'
import { accessOf } from './access-of.ts'

const held = (grantee: string, ...types: string[]) =>
  types.map((privilege_type) => ({
    grantor: 'postgres',
    grantee,
    privilege_type,
    is_grantable: false,
  }))

test('what the table gives is told apart from what a column has of its own', () => {
  const table = {
    relation_id: 1,
    schema: 'public',
    name: 't',
    kind: 'table' as const,
    privileges: [...held('anon', 'SELECT', 'DELETE'), ...held('PUBLIC', 'INSERT')],
  }
  const column = (column_name: string, ...types: string[]) => ({
    column_id: `1.${column_name}`,
    relation_schema: 'public',
    relation_name: 't',
    column_name,
    privileges: [...held('anon', ...types), ...held('PUBLIC', 'INSERT')],
  })
  const columns = [column('a', 'SELECT', 'UPDATE'), column('__proto__', 'SELECT', 'REFERENCES')]
  const access = accessOf('anon', table, columns)
  expect(access.table).toEqual(['SELECT'])
  expect(Object.entries(access.columns)).toEqual([
    ['a', ['UPDATE']],
    ['__proto__', ['REFERENCES']],
  ])
  expect(accessOf('PUBLIC', table, columns)).toEqual({ table: ['INSERT'], columns: {} })
})
