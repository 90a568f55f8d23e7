import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { hostileName } from '#contract/testing/tables'
import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'
import { arrange } from './arrange.ts'
import { diagramSql, diagramSvg } from './diagram-export.ts'
import { linesOf, outsidesOf, boxHeight, boxWidth, rowMiddle, lineDrawer } from './diagram.ts'

const column = (name: string, more: Partial<DiagramTable['columns'][number]> = {}) => ({
  name,
  type: 'bigint',
  key: false,
  unique: false,
  nullable: true,
  identity: false,
  ...more,
})
const table = (id: number, name: string, ...columns: string[]): DiagramTable => ({
  id,
  name,
  rls_enabled: true,
  comment: null,
  columns: columns.map((one, at) => column(one, at === 0 ? { key: true, nullable: false } : {})),
})
const link = (source: number, target: number, columns: [string, string][]): DiagramLink => ({
  name: `key_${source}_${target}`,
  source,
  target,
  source_columns: columns.map(([from]) => from),
  target_columns: columns.map(([, to]) => to),
  target_name: null,
})
const tables = [table(1, 'authors', 'id', 'name'), table(2, 'books', 'id', 'author_id')]
const links = [link(2, 1, [['author_id', 'id']])]

test('a key over two columns is two lines', () => {
  const lines = linesOf([
    link(2, 1, [
      ['a', 'x'],
      ['b', 'y'],
    ]),
  ])
  expect(lines.map(({ sourceColumn, targetColumn }) => [sourceColumn, targetColumn])).toEqual([
    ['a', 'x'],
    ['b', 'y'],
  ])
  expect(new Set(lines.map(({ id }) => id)).size).toBe(2)
})

test('a line leaves its column and comes to the column it points to, wherever the boxes are', () => {
  const draw = lineDrawer(tables, linesOf(links))
  const at = (x: number, y: number) => ({ x, y })
  const [line] = draw(
    new Map([
      [1, at(0, 0)],
      [2, at(400, 100)],
    ]),
  )
  const [from, to] = [100 + rowMiddle(1), rowMiddle(0)]
  expect(line?.path).toMatch(
    new RegExp(`^M400 ${from} C\\d+ ${from} \\d+ ${to} ${boxWidth} ${to}$`),
  )
  expect(draw(new Map([[2, at(400, 100)]]))).toEqual([])
  const own = lineDrawer(tables, linesOf([link(2, 2, [['author_id', 'id']])]))
  expect(own(new Map([[2, at(400, 0)]]))[0]?.path).toBe(
    `M400 ${rowMiddle(1)} C360 ${rowMiddle(1)} 360 ${rowMiddle(0)} 400 ${rowMiddle(0)}`,
  )
})

test('tables of other schemas are known by name', () => {
  const away = { ...link(2, 9, [['user_id', 'id']]), target_name: 'auth.users' }
  expect(outsidesOf(tables, [...links, away, away])).toEqual([{ id: 9, name: 'auth.users' }])
})

test('what is pointed to stands left, and five hundred boxes never overlap', () => {
  const boxes = Array.from({ length: 500 }, (_, id) => ({ id, height: boxHeight(3 + (id % 12)) }))
  const connections = Array.from({ length: 400 }, (_, at) => ({
    source: at + 1,
    target: Math.floor(at / 3),
  }))
  const placed = arrange(boxes, connections)
  expect(placed).toHaveLength(500)
  const at = new Map(placed.map((one) => [one.id, one]))
  expect(at.get(0)?.x).toBeLessThan(at.get(1)?.x ?? 0)
  const overlapping = placed.filter((one, index) =>
    placed
      .slice(index + 1)
      .some(
        (other) =>
          Math.abs(one.x - other.x) < boxWidth &&
          one.y < other.y + (boxes[other.id]?.height ?? 0) &&
          other.y < one.y + (boxes[one.id]?.height ?? 0),
      ),
  )
  expect(overlapping).toEqual([])
})

test('circles and keys to oneself are arranged too', () => {
  const boxes = [1, 2].map((id) => ({ id, height: 100 }))
  const circle = [
    { source: 1, target: 2 },
    { source: 2, target: 1 },
    { source: 1, target: 1 },
    { source: 1, target: 77 },
  ]
  expect(arrange(boxes, circle)).toHaveLength(2)
})

test('a picture has every table and line, and names cannot leave it', () => {
  const hostile = table(3, '<script>"&\'', '</text>')
  const positions = new Map([
    [1, { x: -500, y: 0 }],
    [2, { x: 0, y: 0 }],
    [3, { x: 400, y: 900 }],
  ])
  const { svg, width } = diagramSvg(
    { tables: [...tables, hostile], outsides: [], lines: linesOf(links) },
    positions,
  )
  expect(svg.match(/<path/g)).toHaveLength(1)
  expect(svg).not.toContain('<script>')
  expect(svg).toContain('&#60;script&#62;')
  expect(width).toBe(400 + boxWidth + 24 + 524)
})

test('the SQL of a diagram is SQL, whatever the names are', async () => {
  await fc.assert(
    fc.asyncProperty(hostileName, hostileName, hostileName, async (schema, name, one) => {
      const found = [table(1, name, one), { ...table(2, `${name.slice(0, 5)}2`, one) }]
      const sql = diagramSql(schema, found, [link(2, 1, [[one, one]])])
      expect((await parse(sql)).stmts).toHaveLength(3)
    }),
    { numRuns: 1000 },
  )
}, 60_000)

test('keys into other schemas are no part of the SQL', () => {
  const away = { ...link(2, 9, [['author_id', 'id']]), target_name: 'auth.users' }
  expect(diagramSql('public', tables, [away])).not.toContain('references')
  expect(diagramSql('public', tables, links)).toContain(
    'alter table public.books add constraint key_2_1 foreign key (author_id) references public.authors (id);',
  )
})
