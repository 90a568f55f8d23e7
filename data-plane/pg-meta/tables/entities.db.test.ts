import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entity, EntityDetail } from '#contract/database/pg-meta-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create schema parts; create schema elsewhere;
    create table parts.alone (id int);
    create table parts.events (id int, at date) partition by range (at);
    create table parts.z2026 partition of parts.events for values from ('2026-01-01') to ('2027-01-01');
    create table parts.a2025 partition of parts.events for values from ('2025-01-01') to ('2026-01-01') partition by list (id);
    create table parts.deep partition of parts.a2025 for values in (1);
    create table elsewhere.old partition of parts.events for values from ('2020-01-01') to ('2021-01-01');
    create table parts.last (id int); create view parts.fresh as select 1 as one;
    create type parts.mood as enum ('sad', 'glad'); create domain parts.email as varchar(20) check (value ~ '@');
    create table parts.typed (
      a varchar(20), b numeric(10, 2)[], c timestamp(3) with time zone, d parts.mood, e parts.mood[], f parts.email,
      g numeric, h text, i char(4), j bit varying(3), k interval second(2)
    )`)
})
afterAll(() => meta.close())

const list = async (query: string) =>
  (await meta.call('GET', `entities?${query}`)).body as { entities: Entity[]; total: number }
const namesOf = ({ entities }: { entities: Entity[] }) =>
  entities.map(({ name, is_partition: part }) => `${part ? '- ' : ''}${name}`)

test('partitions follow their table, by name and by kind, and are counted', async () => {
  const partitions = ['events', '- a2025', '- deep', '- z2026']
  const byName = await list('schema=parts')
  expect(namesOf(byName)).toEqual(['alone', ...partitions, 'fresh', 'last', 'typed'])
  const byKind = await list('schema=parts&sort=kind')
  expect(namesOf(byKind)).toEqual(['alone', 'last', 'typed', ...partitions, 'fresh'])
  const pages = [await list('schema=parts&limit=3'), await list('schema=parts&limit=3&offset=3')]
  expect(pages.flatMap(namesOf)).toEqual(namesOf(byName).slice(0, 6))
  expect(pages[0]?.total).toBe(8)
  expect(namesOf(await list('schema=parts&search=2026'))).toEqual(['- z2026'])
  expect(namesOf(await list('schema=elsewhere'))).toEqual(['old'])
})

test('a table says its types as people write them', async () => {
  const [row] = await meta.sql("select 'parts.typed'::regclass::oid::int as id")
  const { columns } = (await meta.call('GET', `entities/${Number(row?.id)}`)).body as EntityDetail
  expect(columns.map(({ type_label: label, base_type: base }) => [label, base])).toEqual([
    ['varchar(20)', null],
    ['numeric(10,2)[]', null],
    ['timestamptz(3)', null],
    ['mood', null],
    ['mood[]', null],
    ['email', 'character varying(20)'],
    ['numeric', null],
    ['text', null],
    ['bpchar(4)', null],
    ['varbit(3)', null],
    ['interval(2)', null],
  ])
})
