import type {
  NewPublication,
  Publication,
  PublicationChange,
} from '#contract/database/database-object-shapes'
import {
  changePublication,
  createPublication as creation,
  dropPublication,
  publishedOperations,
  type PublicationThere,
  type PublishedOperation,
  type TableName,
} from '#contract/ddl/publications'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const publicationRows = `
  select
    p.oid as id, p.pubname as name, pg_get_userbyid(p.pubowner) as owner,
    p.pubinsert as publish_insert, p.pubupdate as publish_update, p.pubdelete as publish_delete,
    p.pubtruncate as publish_truncate,
    case when not p.puballtables then coalesce((
      select jsonb_agg(jsonb_build_object('id', c.oid::int8, 'schema', n.nspname, 'name', c.relname)
        order by n.nspname, c.relname)
      from pg_publication_rel r join pg_class c on c.oid = r.prrelid join pg_namespace n on n.oid = c.relnamespace
      where r.prpubid = p.oid
    ), '[]') end as tables,
    array(
      select n.nspname::text from pg_publication_namespace s join pg_namespace n on n.oid = s.pnnspid
      where s.pnpubid = p.oid order by n.nspname
    ) as schemas,
    p.pubviaroot
      or exists (select from pg_publication_namespace s where s.pnpubid = p.oid)
      or exists (select from pg_publication_rel r
        where r.prpubid = p.oid and (r.prqual is not null or r.prattrs is not null)) as has_more
  from pg_publication p
`

export function listPublications(
  db: Queryable,
  { limit, offset }: { limit?: number | undefined; offset: number },
): Promise<Publication[]> {
  const sql = `${publicationRows} order by p.pubname limit $1 offset $2`
  return rowsOf<Publication>(db, sql, [limit ?? null, offset])
}

export async function getPublication(db: Queryable, id: number): Promise<Publication> {
  const [found] = await rowsOf<Publication>(db, `${publicationRows} where p.oid = $1::int8`, [id])
  if (!found) throw new ApiError('not_found', `Cannot find a publication with ID ${id}`)
  return found
}

export async function createPublication(
  db: Queryable,
  input: NewPublication,
): Promise<Publication> {
  const { name, owner, tables } = input
  const operations = operationsOf(input, noOperations)
  const desired = { name, operations, tables: tables ? tables.map(tableOf) : null }
  await executeChange(db, creation(desired, owner))
  const [made] = await rowsOf<{ id: number }>(
    db,
    'select oid as id from pg_publication where pubname = $1',
    [name],
  )
  if (!made) throw new Error('A publication that was just created is missing')
  return getPublication(db, made.id)
}

export async function updatePublication(
  db: Queryable,
  { id, ...desired }: PublicationChange & { id: number },
): Promise<Publication> {
  const publication = await getPublication(db, id)
  const there = publicationThere(publication)
  const { name = there.name, owner = there.owner, tables } = desired
  if ((tables === null) !== (there.tables === null) && tables !== undefined) {
    throw new ApiError(
      'invalid_input',
      'A publication for all tables cannot be limited to some of them',
    )
  }
  const change = changePublication(there, {
    name,
    owner,
    operations: operationsOf(desired, publication),
    tables: tables ? tables.map(tableOf) : there.tables,
  })
  await executeChange(db, change)
  return getPublication(db, id)
}

export async function deletePublication(db: Queryable, id: number): Promise<Publication> {
  const publication = await getPublication(db, id)
  await executeChange(db, dropPublication(publicationThere(publication)))
  return publication
}

type Operations = { [Name in `publish_${PublishedOperation}`]?: boolean | undefined }
const noOperations: Operations = {}

const operationsOf = (desired: Operations, there: Operations): PublishedOperation[] =>
  publishedOperations.filter((one) => desired[`publish_${one}`] ?? there[`publish_${one}`] ?? false)

export const publicationThere = (publication: Publication): PublicationThere => ({
  name: publication.name,
  owner: publication.owner,
  operations: operationsOf(publication, noOperations),
  tables: publication.tables,
  has_more: publication.has_more,
})

/** The first dot ends the schema: who has dots in names gives them apart. */
function tableOf(given: string | TableName): TableName {
  if (typeof given !== 'string') return given
  const dot = given.indexOf('.')
  return dot < 0
    ? { schema: 'public', name: given }
    : { schema: given.slice(0, dot), name: given.slice(dot + 1) }
}
