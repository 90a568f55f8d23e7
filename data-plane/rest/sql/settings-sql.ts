import { quoteIdent } from '#contract/ddl/sql-text'
import { requestNameSetting } from '../../projects/request-name.ts'
import type { Statement } from '../../projects/transaction.ts'

/** What the database may know about the request (contract §9). */
export type Session = {
  role: string
  /** What the server's log has beside each entry of the request. */
  requestId?: string | undefined
  /** JSON text. */
  claims: string
  method: string
  path: string
  /** JSON texts. */
  headers: string
  cookies: string
  searchPath: readonly string[]
  readOnly: boolean
  /** Of the role, of the called function, of the request's preferences; later ones win. */
  settings: readonly (readonly [name: string, value: string])[]
}

const isolations = ['serializable', 'repeatable read', 'read committed', 'read uncommitted']

/**
 * The isolation level that the last of the settings asks for. It has to be said before the first statement that looks at
 * data, even before one that sets something.
 */
export function isolationSql(settings: Session['settings']): Statement[] {
  const asked = settings.findLast(([name]) => name === 'default_transaction_isolation')?.[1]
  const level = isolations.find((name) => name === asked?.toLowerCase())
  return level ? [{ text: `set transaction isolation level ${level}`, values: [] }] : []
}

const set = (position: number) => `set_config($${position}, $${position + 1}, true)`

/**
 * The first statement of every request. All settings end with the transaction. The role is taken again although the
 * login starts with it, because a function could have dropped it for the whole session.
 */
export function sessionSql(session: Session): Statement {
  const pairs: (readonly [string, string])[] = [
    ['role', session.role],
    ...requestNameSetting(session.requestId),
    ['request.jwt.claims', session.claims],
    ['request.method', session.method],
    ['request.path', session.path],
    ['request.headers', session.headers],
    ['request.cookies', session.cookies],
    ...session.settings,
    ['search_path', session.searchPath.map(quoteIdent).join(', ')],
  ]
  if (session.readOnly) pairs.push(['transaction_read_only', 'on'])
  const calls = pairs.map((_, index) => set(2 * index + 1))
  return { text: `select ${calls.join(', ')}`, values: pairs.flat() }
}
