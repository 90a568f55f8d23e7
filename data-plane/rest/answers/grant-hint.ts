import { DatabaseError } from 'pg'
import { ident, qualified } from '#contract/ddl/sql-text'
import type { Incoming } from '../requests/incoming.ts'
import { isRead } from '../requests/incoming.ts'
import type { Schema } from '../catalog/schema.ts'

const refusal =
  /^permission denied for (table|view|materialized view|foreign table|function|schema|sequence) (.+)$/

/** Rights on a table that a method needs; what it looks for or shows again has to be read, too. */
const rights: Record<string, string> = {
  POST: 'SELECT, INSERT',
  PATCH: 'SELECT, UPDATE',
  PUT: 'SELECT, INSERT, UPDATE',
  DELETE: 'SELECT, DELETE',
}

/**
 * Says which grant is missing where Postgres refuses the role of a request, which says what and not why. Undefined for
 * anything else, or when it does not become clear what was meant.
 */
export function grantHint(
  error: unknown,
  { method, profile, resource, identity }: Incoming,
  schema: Schema,
  page: string | undefined,
): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== '42501' || error.hint) return undefined
  const [, kind, name = ''] = refusal.exec(error.message) ?? []
  const to = ident(identity.role)
  switch (kind) {
    case undefined:
      return undefined
    case 'schema':
      return `Grant it with: GRANT USAGE ON SCHEMA ${ident(name)} TO ${to};`
    case 'sequence':
      return `Grant it with: GRANT USAGE ON SEQUENCE ${ident(profile)}.${ident(name)} TO ${to};`
    case 'function': {
      const own = schema.functions.get(profile)?.get(name)?.[0]
      return (
        own &&
        `Grant it with: GRANT EXECUTE ON FUNCTION ${qualified(own.schema, own.name)} TO ${to};`
      )
    }
    default: {
      const relation = schema.relations.get(profile)?.get(name)
      if (!relation) return undefined
      const isAsked = resource.kind === 'relation' && resource.name === name && !isRead(method)
      const needed = isAsked ? (rights[method] ?? 'SELECT') : 'SELECT'
      const grant = `Grant it with: GRANT ${needed} ON ${qualified(relation.schema, relation.name)} TO ${to};`
      return page === undefined ? grant : `${grant} ${page}`
    }
  }
}
