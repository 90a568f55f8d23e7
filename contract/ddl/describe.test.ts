import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { describeColumn, describeRelation, type Described } from './describe.ts'
import { hostileName } from '../testing/tables.ts'

beforeAll(() => loadModule())

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'))
const words = fc.record({
  before: fc.option(text, { nil: null }),
  after: fc.option(text, { nil: null }),
})
const thing = fc.record({
  kind: fc.constantFrom('table', 'view', 'materialized view', 'foreign table'),
  schema: hostileName,
  name: hostileName,
}) satisfies fc.Arbitrary<Described>

type Comment = { object: { List: { items: { String: { sval: string } }[] } }; comment?: string }

/** The one statement of a text, read by Postgres's own grammar. */
function comment(sql: string | undefined): { names: string[]; says: string | null } {
  const { stmts } = parseSync(sql ?? '') as { stmts: { stmt: { CommentStmt: Comment } }[] }
  expect(stmts).toHaveLength(1)
  const { object, comment: says } = stmts[0]?.stmt.CommentStmt ?? {
    object: { List: { items: [] } },
  }
  return { names: object.List.items.map((item) => item.String.sval), says: says ?? null }
}

test('whatever it is called and whatever is said, it is one comment on it, and can be taken back', () => {
  fc.assert(
    fc.property(thing, hostileName, words, (of, column, said) => {
      const relation = describeRelation(of, said)
      expect(comment(relation.statements[0])).toEqual({
        names: [of.schema, of.name],
        says: said.after || null,
      })
      expect(comment(relation.inverse?.[0]).says).toBe(said.before || null)
      const names = [of.schema, of.name, column]
      const one = describeColumn(of, column, said)
      expect(comment(one.statements[0])).toEqual({ names, says: said.after || null })
      expect(comment(one.inverse?.[0])).toEqual({ names, says: said.before || null })
      expect(relation.name).toMatch(/^[a-z0-9_]{1,120}$/)
    }),
    { numRuns: 1000 },
  )
})

test('what people read', () => {
  const books: Described = { kind: 'table', schema: 'public', name: 'books' }
  expect(describeColumn(books, 'title', { before: null, after: "The author's title" })).toEqual({
    name: 'describe_books_title',
    statements: ["comment on column public.books.title is 'The author''s title'"],
    inverse: ['comment on column public.books.title is null'],
  })
})
