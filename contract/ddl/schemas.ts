import { changeName, type Change } from './change.ts'
import { ident } from './sql-text.ts'

export const createSchema = (name: string): Change => ({
  name: changeName('create schema', name),
  statements: [`create schema ${ident(name)}`],
  inverse: [`drop schema ${ident(name)}`],
})

export const renameSchema = (from: string, to: string): Change => ({
  name: changeName('rename schema', from, 'to', to),
  statements: [`alter schema ${ident(from)} rename to ${ident(to)}`],
  inverse: [`alter schema ${ident(to)} rename to ${ident(from)}`],
})

export const dropSchema = (name: string, cascade: boolean): Change => ({
  name: changeName('drop schema', name),
  statements: [`drop schema ${ident(name)}${cascade ? ' cascade' : ''}`],
  ...(cascade ? {} : { inverse: [`create schema ${ident(name)}`] }),
})
