import type { Publication } from '#contract/database/database-object-shapes'
import { publishedOperations, type PublicationThere } from '#contract/ddl/publications'
import { numberText } from '../../../ui/text/number.ts'

/** A publication as the builders of changes take it. */
export const publicationThere = (publication: Publication): PublicationThere => ({
  name: publication.name,
  owner: publication.owner,
  operations: publishedOperations.filter((one) => publication[`publish_${one}`]),
  tables: publication.tables?.map(({ schema, name }) => ({ schema, name })) ?? null,
  has_more: publication.has_more,
})

/** `3 tables`, `All tables`, `2 schemas and 1 table`. */
export function extentOf({ tables, schemas }: Publication): string {
  if (tables === null) return 'All tables'
  const parts = [
    ...(schemas.length > 0 ? [counted(schemas.length, 'schema')] : []),
    ...(tables.length > 0 || schemas.length === 0 ? [counted(tables.length, 'table')] : []),
  ]
  return parts.join(' and ')
}

const counted = (count: number, what: string) =>
  `${count === 0 ? 'No' : numberText(count)} ${what}${count === 1 ? '' : 's'}`
