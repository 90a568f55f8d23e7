import { quoteIdent } from '#contract/ddl/sql-text'
import { GraphQLError } from 'graphql'
import type { Column, Func, Table } from '../model.ts'

/** Postgres counts the values of a statement in 16 bits. */
const maxValues = 60_000

/** One statement while it is written: its values never become part of its text, and every name in it is its own. */
export class Writing {
  readonly values: (string | null)[] = []
  private aliases = 0

  /** The placeholder of a value. @throws GraphQLError when there are too many. */
  bind(value: string | null): string {
    if (this.values.length >= maxValues) throw new GraphQLError('The request has too many values')
    return `$${this.values.push(value)}`
  }

  /** A name for a part of the statement. */
  alias(): string {
    return `t${++this.aliases}`
  }
}

export const qualified = ({ schema, name }: Table): string =>
  `${quoteIdent(schema)}.${quoteIdent(name)}`

export const functionSql = ({ schema, name }: Func): string =>
  `${quoteIdent(schema)}.${quoteIdent(name)}`

export const columnSql = (alias: string, { name }: Column): string => `${alias}.${quoteIdent(name)}`

/**
 * The columns that are taken along from a table for what is made of its rows. The ones nobody asks for stay behind: to
 * read a column takes the right to.
 */
export class Taken {
  private readonly columns: Column[] = []
  private whole: Table | undefined

  /** The column's name behind the alias of the rows. */
  nameOf(column: Column): string {
    const at = this.columns.indexOf(column)
    return `c${at < 0 ? this.columns.push(column) - 1 : at}`
  }

  /** The name of the row itself behind the alias of the rows, in the type of its table. */
  nameOfRow(table: Table): string {
    this.whole = table
    return 'whole'
  }

  /** The select list, or the returning list; never empty. */
  list(alias: string): string {
    const list = this.columns.map((column, i) => `${columnSql(alias, column)} as c${i}`)
    if (this.whole) {
      // Column by column: what the rows are taken from may have the columns and not the type.
      const values = this.whole.whole?.map((name) => `${alias}.${quoteIdent(name)}`) ?? []
      list.push(`row(${values.join(', ')})::${qualified(this.whole)} as whole`)
    }
    return list.length === 0 ? '1 as nothing' : list.join(', ')
  }
}

/** A value of a column as the text that Postgres reads it from. Null where GraphQL says null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return arrayText(value)
  // GraphQL has read scalars as texts, numbers or booleans; nothing else is left.
  return String(value as string | number | boolean)
}

/** Documentation of Postgres §8.15.6: quoted, so that no member is taken for NULL or for syntax. */
function arrayText(members: readonly unknown[]): string {
  const texts = members.map((member) => {
    const text = textOf(member)
    return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
  })
  return `{${texts.join(',')}}`
}
