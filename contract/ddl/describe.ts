import { changeName, type Change } from './change.ts'
import { ident, qualified, quoteLiteral } from './sql-text.ts'

/** A relation by what `comment on` calls its kind. */
export type Described = {
  kind: 'table' | 'view' | 'materialized view' | 'foreign table'
  schema: string
  name: string
}
/** The words there are and the words wanted; null for none. */
export type Words = { before: string | null; after: string | null }

const isText = (words: string | null) => (words ? quoteLiteral(words).trim() : 'null')

function described(thing: string, name: string, { before, after }: Words): Change {
  const say = (words: string | null) => `comment on ${thing} is ${isText(words)}`
  return { name, statements: [say(after)], inverse: [say(before)] }
}

/** Says what a table or view is about. */
export const describeRelation = ({ kind, schema, name }: Described, words: Words): Change =>
  described(`${kind} ${qualified(schema, name)}`, changeName('describe', name), words)

/** Says what a column is about. */
export const describeColumn = ({ schema, name }: Described, column: string, words: Words): Change =>
  described(
    `column ${qualified(schema, name)}.${ident(column)}`,
    changeName('describe', name, column),
    words,
  )
