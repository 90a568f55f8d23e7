import { sqlOf } from '#contract/ddl/change'
import { columnSql } from '#contract/ddl/tables/column-sql'
import { foreignKeySql } from '#contract/ddl/tables/foreign-keys'
import { ident, qualified } from '#contract/ddl/sql-text'
import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'
import {
  type Line,
  type Outside,
  type Positions,
  boxHeight,
  boxWidth,
  headHeight,
  rowHeight,
  lineDrawer,
} from './diagram.ts'

const note = '-- For reading: defaults, checks, indexes and policies are left out.\n\n'

/** The tables as SQL, first all of them, then the keys between them, so that it also runs. */
export function diagramSql(
  schema: string,
  tables: readonly DiagramTable[],
  links: readonly DiagramLink[],
): string {
  const names = new Map(tables.map(({ id, name }) => [id, name]))
  const creates = tables.map(({ name, columns }) => {
    const key = columns.filter((column) => column.key)
    const parts = columns.map((column) =>
      columnSql(
        {
          ...column,
          default: null,
          generated: null,
          check: null,
          comment: null,
          identity: column.identity ? 'BY DEFAULT' : null,
          unique: column.unique && !(column.key && key.length === 1),
          unique_name: null,
          check_name: null,
        },
        { constraints: true },
      ),
    )
    if (key.length > 0) parts.push(`primary key (${key.map((one) => ident(one.name)).join(', ')})`)
    const body = parts.map((part) => `\n  ${part}`).join(',')
    return `create table ${qualified(schema, name)} (${body}${parts.length > 0 ? '\n' : ''})`
  })
  const keys = links.flatMap((link) => {
    const source = names.get(link.source)
    const target = names.get(link.target)
    if (source === undefined || target === undefined) return []
    const key = foreignKeySql(
      {
        name: link.name,
        columns: link.source_columns,
        target_schema: schema,
        target_table: target,
        target_columns: link.target_columns,
        on_update: 'NO ACTION',
        on_delete: 'NO ACTION',
      },
      { named: true },
    )
    return [`alter table ${qualified(schema, source)} add ${key}`]
  })
  return note + sqlOf([...creates, ...keys]) + '\n'
}

/** For paper and other programs: the same in every theme, in colours that all of them know. */
const ink = {
  page: '#ffffff',
  box: '#ffffff',
  head: '#f2f3f5',
  line: '#c9ccd2',
  link: '#8a8f98',
  text: '#1b1d21',
  muted: '#6a6f78',
}

const escaped = (text: string) =>
  text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    // oxlint-disable-next-line no-control-regex -- they are what XML cannot carry at all
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')

const shortened = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text

type Diagram = {
  tables: readonly DiagramTable[]
  outsides: readonly Outside[]
  lines: readonly Line[]
}

/** The whole diagram as an SVG picture. */
export function diagramSvg({ tables, outsides, lines }: Diagram, positions: Positions) {
  const at = (id: number) => positions.get(id) ?? { x: 0, y: 0 }
  const boxes = [
    ...tables.map(({ id, columns }) => ({ ...at(id), height: boxHeight(columns.length) })),
    ...outsides.map(({ id }) => ({ ...at(id), height: headHeight })),
  ]
  const left = Math.min(0, ...boxes.map(({ x }) => x)) - 24
  const top = Math.min(0, ...boxes.map(({ y }) => y)) - 24
  const width = Math.max(1, ...boxes.map(({ x }) => x + boxWidth)) + 24 - left
  const height = Math.max(1, ...boxes.map((box) => box.y + box.height)) + 24 - top
  const places = new Map([...tables, ...outsides].map(({ id }) => [id, at(id)]))
  const links = lineDrawer(
    tables,
    lines,
  )(places).map(({ path }) => `<path d="${path}" fill="none" stroke="${ink.link}"/>`)
  const pictures = [
    ...tables.map((table) => tableSvg(table, at(table.id))),
    ...outsides.map(({ id, name }) => boxSvg(name, at(id), headHeight, '')),
  ]
  return {
    width,
    height,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="ui-monospace, Menlo, monospace" font-size="12"><rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${ink.page}"/>${links.join('')}${pictures.join('')}</svg>`,
  }
}

function tableSvg({ name, columns }: DiagramTable, at: { x: number; y: number }): string {
  const rows = columns.map((column, row) => {
    const y = at.y + headHeight + rowHeight * row + 16
    const mark = column.key ? 'PK ' : ''
    const label = `${mark}${column.name}${column.nullable ? '' : ' *'}`
    return `<text x="${at.x + 12}" y="${y}" fill="${ink.text}">${escaped(shortened(label, 22))}</text><text x="${at.x + boxWidth - 12}" y="${y}" fill="${ink.muted}" text-anchor="end">${escaped(shortened(column.type, 14))}</text>`
  })
  return boxSvg(name, at, boxHeight(columns.length), rows.join(''))
}

const boxSvg = (name: string, { x, y }: { x: number; y: number }, height: number, rows: string) =>
  `<rect x="${x}" y="${y}" width="${boxWidth}" height="${height}" rx="6" fill="${ink.box}" stroke="${ink.line}"/><rect x="${x + 1}" y="${y + 1}" width="${boxWidth - 2}" height="${headHeight - 2}" rx="5" fill="${ink.head}"/><text x="${x + 12}" y="${y + 23}" font-weight="600" fill="${ink.text}">${escaped(shortened(name, 32))}</text>${rows}`
