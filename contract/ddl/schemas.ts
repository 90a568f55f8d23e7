import { changeName, type Change } from './change.ts'
import { ident } from './sql-text.ts'

/** Of the one who makes it, unless an owner is named. */
export const createSchema = (name: string, owner?: string): Change => ({
  name: changeName('create schema', name),
  statements: [`create schema ${ident(name)}${owner ? ` authorization ${ident(owner)}` : ''}`],
  inverse: [`drop schema ${ident(name)}`],
})

export const renameSchema = (from: string, to: string): Change => ({
  name: changeName('rename schema', from, 'to', to),
  statements: [`alter schema ${ident(from)} rename to ${ident(to)}`],
  inverse: [`alter schema ${ident(to)} rename to ${ident(from)}`],
})

type SchemaMarks = { name: string; owner: string }

export function changeSchema(before: SchemaMarks, desired: Partial<SchemaMarks>): Change {
  const after = { ...before, ...desired }
  return {
    name: changeName('change schema', before.name),
    statements: schemaSteps(before, after),
    inverse: schemaSteps(after, before),
  }
}

const schemaSteps = (from: SchemaMarks, to: SchemaMarks): string[] => [
  ...(from.owner === to.owner
    ? []
    : [`alter schema ${ident(from.name)} owner to ${ident(to.owner)}`]),
  ...(from.name === to.name ? [] : renameSchema(from.name, to.name).statements),
]

export const dropSchema = (name: string, cascade: boolean): Change => ({
  name: changeName('drop schema', name),
  statements: [`drop schema ${ident(name)}${cascade ? ' cascade' : ''}`],
  ...(cascade ? {} : { inverse: [`create schema ${ident(name)}`] }),
})
