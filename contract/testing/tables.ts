import fc from 'fast-check'
import { quoteIdent } from '../ddl/sql-text.ts'
import type { ColumnShape, TableShape } from '../ddl/tables/table-shape.ts'

/** Names that hurt: quotes, spaces, reserved words, other alphabets, up to the 63 bytes that Postgres takes. */
export const hostileName = fc
  .oneof(
    fc.constantFrom(
      'select',
      'User',
      'a b',
      'a"b',
      "a'b",
      'naïve',
      '表',
      '; drop table x',
      '--',
      '%s',
      '\\',
      '$1',
      'NULL',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('x'.repeat(63), 'é'.repeat(31)),
  )
  .filter((name) => !name.includes('\0') && new TextEncoder().encode(name).length <= 63)
  // Lone surrogates have no place in UTF-8.
  .filter((name) => !/\p{Cs}/u.test(name))

/** Texts that hurt, as comments, arguments and bodies are. */
export const anyText = fc
  .oneof(hostileName, fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map((text) => text.replaceAll('\0', '').replace(/\p{Cs}/gu, ''))

const typed = fc.constantFrom(
  { type: 'int4', default: '7' },
  { type: 'int8', default: null },
  { type: 'text', default: "'it''s'" },
  { type: 'text[]', default: "'{}'" },
  { type: 'numeric(10,2)', default: '0' },
  { type: 'timestamptz', default: 'now()' },
  { type: 'uuid', default: 'gen_random_uuid()' },
  { type: 'jsonb', default: "'{}'" },
  { type: 'bool', default: 'false' },
  { type: 'bytea', default: null },
  { type: 'varchar(20)', default: "'x' || 'y'" },
)

export const plainColumn = (name: string): ColumnShape => ({
  name,
  type: 'text',
  nullable: true,
  default: null,
  generated: null,
  check: null,
  identity: null,
  unique: false,
  comment: null,
  unique_name: null,
  check_name: null,
})

export const anyColumns = fc
  .uniqueArray(hostileName, { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .record({
            kind: typed,
            nullable: fc.boolean(),
            withDefault: fc.boolean(),
            unique: fc.boolean(),
            comment: fc.option(fc.constantFrom("it's", 'a\\b', '名')),
            checked: fc.boolean(),
          })
          .map(({ kind, nullable, withDefault, unique, comment, checked }) => ({
            ...plainColumn(name),
            type: kind.type,
            nullable,
            default: withDefault ? kind.default : null,
            unique,
            comment,
            check: checked ? `${quoteIdent(name)} is null or true` : null,
          })),
      ),
    ),
  )

export const emptyTable = (schema: string, name: string): TableShape => ({
  schema,
  name,
  comment: null,
  rls: false,
  realtime: null,
  columns: [],
  primary_key: { name: null, columns: [] },
  foreign_keys: [],
  access: [],
})
