import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import { ApiError } from '#kit/errors'
import { bytesOf } from './deployment.ts'
import type { ActiveFunction, FunctionStore } from './store.ts'

type Deps = {
  store: FunctionStore
  transaction: <T>(run: (tx: Tx) => Promise<T>) => Promise<T>
  record: RecordChange
  notify: (tx: Tx, ref: string) => Promise<void>
}
export type FunctionCopy = { from: string; to: string; slug: string; by: string }

const isServed = (row: ActiveFunction) => row.status !== 'REMOVED' && row.version > 0

/** Everything that two functions have to agree in to be the same. */
const digestOf = ({ sha256, verify_jwt, name, entrypoint_path, import_map_path }: ActiveFunction) =>
  [sha256, verify_jwt, entrypoint_path, import_map_path, name].join(' ')

/** What functions a project has, and how one gets into another project as it is. */
export function createFunctionCopies({ store, transaction, record, notify }: Deps) {
  const find = async (ref: string, slug: string, tx?: Tx) =>
    (await store.list(ref, tx)).find((row) => row.slug === slug && row.status !== 'REMOVED')

  return {
    /** By slug. */
    digests: async (ref: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await store.list(ref)).filter(isServed).map((row) => [row.slug, digestOf(row)]),
      ),

    /** It was tried where it comes from, so it is not tried again. Nothing happens where it is the same already. */
    async copy({ from, to, slug, by }: FunctionCopy): Promise<void> {
      const source = await find(from, slug)
      if (!source || !isServed(source) || source.version_id === null)
        throw new ApiError('function_not_found')
      const [version, files] = [
        await store.version(source.version_id),
        await store.files(source.version_id),
      ]
      if (!version) throw new ApiError('function_not_found')
      await transaction(async (tx) => {
        const project = await lockProject(tx, to)
        if (!project) throw new ApiError('project_not_found')
        const known = await find(to, slug, tx)
        if (known && isServed(known) && digestOf(known) === digestOf(source)) return
        const row = known ?? (await store.create(tx, { project_id: project.id, slug, name: slug }))
        const next = row.last_version + 1
        const { entrypoint_path, import_map_path, sha256 } = version
        await store.addVersion(
          tx,
          {
            function_id: row.id,
            version: next,
            entrypoint_path,
            import_map_path,
            sha256,
            bytes: bytesOf(files),
            deployed_by: by,
          },
          files,
        )
        const { name, verify_jwt } = source
        await store.update(tx, row.id, { last_version: next, version: next, name, verify_jwt })
        await record(tx, {
          organizationId: project.organization_id,
          actor: null,
          action: 'functions.deploy',
          target: `project:${to}`,
          change: { slug, version: next, sha256, activated: true, from, ordered_by: by },
          origin: null,
        })
        await notify(tx, to)
      })
    },
  }
}
