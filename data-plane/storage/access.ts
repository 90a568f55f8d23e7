import type { OpenProject } from '../projects/open-project.ts'
import type { Row, Statement, Transaction } from '../projects/transaction.ts'
import { requestNameSetting } from '../projects/request-name.ts'
import { refusalOf, type StorageCode } from './errors.ts'

/** Who the request runs as. `claims` is JSON text. */
export type Identity = { role: string; claims: string }

/** What policies can see of a request. `headers` is JSON text. */
export type Asked = { method: string; path: string; headers: string; requestId?: string }

/** The database of one project, entered by one caller for one operation. */
export type Access = {
  identity: Identity
  /** As the caller: row level security decides. Resolves with the rows of each statement. @throws StorageError */
  asCaller(work: Work): Promise<Row[][]>
  /** As the service itself, for what the caller's policies have allowed already. @throws StorageError */
  asService(work: Work): Promise<Row[][]>
  /** As the owner of the service's tables: for the trash, which no role of the data API reaches. @throws StorageError */
  asOwner(work: Work): Promise<Row[][]>
}
export type Work = {
  /** Such as `storage.object.upload`: policies ask for it. */
  operation: string
  statements: readonly Statement[]
  /** Lets rows be deleted; by hand they cannot be. */
  deletes?: boolean
  /** Nothing of it lasts: it only shows whether the policies allow it. */
  isRehearsal?: boolean
  /** What a broken unique index means here. */
  taken?: StorageCode
}

const service: Identity = { role: 'service_role', claims: '{"role":"service_role"}' }
const owner = 'supabase_storage_admin'

/** Ends a rehearsal, which has gone well. */
class Rehearsed extends Error {}

export function accessTo(project: OpenProject, identity: Identity, asked: Asked): Access {
  async function run(
    who: Identity,
    work: Work,
    enter: (transaction: Transaction) => Promise<Row[][]> = (transaction) =>
      project.run(who.role, transaction),
  ): Promise<Row[][]> {
    const { operation, statements, deletes = false, taken = 'KeyAlreadyExists' } = work
    const session = sessionSql(who, asked, operation, deletes)
    try {
      const results = await enter({
        statements: [session, ...statements],
        resetsSettings: true,
        refuse: work.isRehearsal ? () => new Rehearsed() : undefined,
        leavesTraces: true,
      })
      return results.slice(1)
    } catch (error) {
      if (error instanceof Rehearsed) return []
      throw refusalOf(error, taken) ?? error
    }
  }
  return {
    identity,
    asCaller: (work) => run(identity, work),
    asService: (work) => run(service, work),
    asOwner: (work) =>
      run({ ...identity, role: owner }, work, (transaction) =>
        project.runAs('plinth_storage', transaction),
      ),
  }
}

/** All settings end with the transaction. */
function sessionSql(who: Identity, asked: Asked, operation: string, deletes: boolean): Statement {
  const pairs = [
    ['role', who.role],
    ...requestNameSetting(asked.requestId),
    ['request.jwt.claims', who.claims],
    ['request.method', asked.method],
    ['request.path', asked.path],
    ['request.headers', asked.headers],
    ['storage.operation', operation],
    ['storage.allow_delete_query', String(deletes)],
    ['search_path', 'storage, public, extensions'],
  ] as const
  const calls = pairs.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`)
  return { text: `select ${calls.join(', ')}`, values: pairs.flat() }
}

/** The one text of a row that `to_jsonb(...)` made. */
export function rowsOf<T>(rows: readonly Row[] | undefined): T[] {
  // The select list stands in our own stores, so the shape is theirs.
  return (rows ?? []).map(([json]) => JSON.parse(json ?? 'null') as T)
}

/** `sub` of a token, when it is a text. */
export function subjectOf({ claims }: Identity): string | null {
  const { sub } = JSON.parse(claims) as { sub?: unknown }
  return typeof sub === 'string' ? sub : null
}
