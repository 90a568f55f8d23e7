import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
let oracle: Client
beforeAll(async () => {
  plane = await startDataPlane(`
    create table things (id int primary key, n int, word text);
    insert into things select i, nullif(i % 5, 0), (array[null, '', 'a', 'A', '%', '_b', '\\', 'ä'])[1 + i % 8]
      from generate_series(1, 40) i;
  `)
  ask = graphqlClient(plane)
  oracle = new Client(plane.database.configFor('postgres'))
  await oracle.connect()
})
afterAll(async () => {
  await oracle.end()
  await plane.close()
})

/** A filter, and the same condition in plain SQL written independently: true, false or null as SQL has it. */
type Case = { filter: object; sql: string }
const literal = (text: string) => `convert_from('\\x${Buffer.from(text).toString('hex')}', 'utf8')`
const signs = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const sign = fc.constantFrom(...(Object.keys(signs) as (keyof typeof signs)[]))
const word = fc.oneof(
  fc.constantFrom('', 'a', 'A', '%', '_b', '\\\\', '_', "'", '"', 'ä', '$1', '😀'),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !/[\0\\]/.test(text)),
)
const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.tuple(sign, fc.integer({ min: -1, max: 6 })).map(([op, n]) => ({
    filter: { n: { [op]: n } },
    sql: `n ${signs[op]} ${n}`,
  })),
  fc.tuple(sign, word).map(([op, text]) => ({
    filter: { word: { [op]: text } },
    sql: `word ${signs[op]} ${literal(text)}`,
  })),
  fc
    .constantFrom('n', 'word')
    .map((name) => ({ filter: { [name]: { is: 'NULL' } }, sql: `${name} is null` })),
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }).map((list) => ({
    filter: { n: { in: list } },
    sql: list.length === 0 ? 'false' : `n in (${list.join()})`,
  })),
  fc.tuple(fc.constantFrom('like', 'ilike'), word).map(([op, text]) => ({
    filter: { word: { [op]: text } },
    sql: `word ${op} ${literal(text)}`,
  })),
  word.map((text) => ({
    filter: { word: { startsWith: text } },
    sql: `left(word, length(${literal(text)})) = ${literal(text)}`,
  })),
)
const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('tree').map(({ filter, sql }) => ({
      filter: { not: filter },
      sql: `(${sql}) is not true`,
    })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([kind, list]) => ({
        filter: { [kind]: list.map(({ filter }) => filter) },
        sql: `(${list.map(({ sql }) => `(${sql})`).join(` ${kind} `)})`,
      })),
  ),
}))

test('filters find what the same conditions in SQL find', async () => {
  const query =
    'query ($filter: thingsFilter) { thingsCollection(first: 1000, filter: $filter) { edges { node { id } } } }'
  await fc.assert(
    fc.asyncProperty(tree, async ({ filter, sql }) => {
      const { data, errors } = await ask(query, { variables: { filter } })
      expect(errors).toBeUndefined()
      const found = nodesOf(data?.['thingsCollection']).map(({ id }) => id)
      const text = ['select id from things where', sql, 'order by id'].join(' ')
      const { rows } = await oracle.query<{ id: number }>(text)
      expect(found).toEqual(rows.map(({ id }) => id))
    }),
    { numRuns: 300 },
  )
})
