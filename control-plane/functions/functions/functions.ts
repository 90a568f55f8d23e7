import { pathToFileURL } from 'node:url'
import { ApiError } from '#kit/errors'
import type { V1Function } from '#contract/v1/v1-functions'
import type { Audited, By } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import { bytesOf, checkDeployment, digestOf, type Deployment } from './deployment.ts'
import type { ActiveFunction, FunctionStore } from './store.ts'

type Deps = {
  store: FunctionStore
  audited: Audited
  /** Starts code once; what does not start is refused. */
  tryOut: (ref: string, code: Deployment) => Promise<void>
}
type Settings = { name?: string | undefined; verify_jwt?: boolean | undefined }

/** Functions of one project at most, those in the trash included. */
const max = 1000

/** What a project's functions are and which version of each is active. */
export function createFunctions({ store, audited, tryOut }: Deps) {
  const living = async (ref: string, tx?: Tx) =>
    (await store.list(ref, tx)).filter(({ status }) => status !== 'REMOVED')

  async function find(ref: string, slug: string, tx?: Tx): Promise<ActiveFunction> {
    const found = (await living(ref, tx)).find((row) => row.slug === slug)
    if (!found) throw new ApiError('function_not_found')
    return found
  }

  /** What has changed is what the audit entry says. */
  async function change(
    by: By,
    action: string,
    work: (tx: Tx, projectId: string) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    await audited(by, action, async (tx, { id }) => ({ change: await work(tx, id) }))
  }

  async function findOrMake(tx: Tx, ref: string, projectId: string, slug: string, name?: string) {
    const all = await store.list(ref, tx)
    const found = all.find((row) => row.slug === slug && row.status !== 'REMOVED')
    if (found) return found
    if (all.length >= max)
      throw new ApiError('invalid_input', `A project can have up to ${max} functions`)
    return store.create(tx, { project_id: projectId, slug, name: name ?? slug })
  }

  /** Makes a version, and the function where there is none; activates it unless told not to. */
  async function deploy(
    by: By,
    slug: string,
    deployment: Deployment & Settings & { activate: boolean; mustBeNew?: boolean },
  ): Promise<V1Function> {
    checkDeployment(deployment)
    const { files, name, verify_jwt: verify } = deployment
    if (deployment.mustBeNew && (await living(by.ref)).some((row) => row.slug === slug)) {
      throw new ApiError('function_exists')
    }
    await tryOut(by.ref, deployment)
    await change(by, 'functions.deploy', async (tx, projectId) => {
      // Somebody else may have made it meanwhile.
      if (deployment.mustBeNew && (await living(by.ref, tx)).some((row) => row.slug === slug)) {
        throw new ApiError('function_exists')
      }
      const row = await findOrMake(tx, by.ref, projectId, slug, name)
      const version = row.last_version + 1
      const sha256 = digestOf(files)
      await store.addVersion(
        tx,
        {
          function_id: row.id,
          version,
          entrypoint_path: deployment.entrypoint_path,
          import_map_path: deployment.import_map_path ?? null,
          sha256,
          bytes: bytesOf(files),
          deployed_by: by.caller.email,
        },
        files,
      )
      await store.update(tx, row.id, {
        last_version: version,
        ...(deployment.activate ? { version, ...settingsOf({ name, verify_jwt: verify }) } : {}),
      })
      return { slug, version, sha256, activated: deployment.activate }
    })
    const made = await find(by.ref, slug)
    return {
      ...shownIn(by.ref)(made),
      ...(!deployment.activate && { version: made.last_version }),
    }
  }

  /** @throws ApiError function_not_found, also for a version that does not exist */
  async function set(
    by: By,
    changes: readonly (Settings & { slug: string; version?: number | undefined })[],
  ): Promise<V1Function[]> {
    await change(by, 'functions.update', async (tx) => {
      for (const { slug, version, ...settings } of changes) {
        const row = await find(by.ref, slug, tx)
        const versions = version === undefined ? [] : await store.versions(row.id, tx)
        if (version !== undefined && !versions.some((each) => each.version === version)) {
          throw new ApiError('function_not_found', `${slug} has no version ${version}`)
        }
        await store.update(tx, row.id, {
          ...settingsOf(settings),
          ...(version === undefined ? {} : { version }),
        })
      }
      return { functions: changes }
    })
    const now = await living(by.ref)
    return now.filter(({ slug }) => changes.some((each) => each.slug === slug)).map(shownIn(by.ref))
  }

  async function versionOf(ref: string, slug: string, version: number) {
    const row = await find(ref, slug)
    const found = (await store.versions(row.id)).find((each) => each.version === version)
    if (!found) throw new ApiError('function_not_found', `${slug} has no version ${version}`)
    return { ...found, active: row.version === version, files: await store.files(found.id) }
  }

  return {
    // A first version that waits to be activated is no function yet.
    list: async (ref: string) =>
      (await living(ref)).filter((row) => row.version > 0).map(shownIn(ref)),
    get: async (ref: string, slug: string) => shownIn(ref)(await find(ref, slug)),
    deploy,
    set,
    versionOf,
    active: async (ref: string, slug: string) =>
      versionOf(ref, slug, (await find(ref, slug)).version),
    async versions(ref: string, slug: string) {
      const row = await find(ref, slug)
      const versions = await store.versions(row.id)
      return versions.map((each) => ({ ...each, active: each.version === row.version }))
    },
    remove: (by: By, slug: string) =>
      change(by, 'functions.remove', async (tx) => {
        const row = await find(by.ref, slug, tx)
        await store.update(tx, row.id, { status: 'REMOVED', removed_at: new Date() })
        return { slug, id: row.id }
      }),
    removed: async (ref: string) =>
      (await store.list(ref)).flatMap(({ id, slug, name, status, removed_at }) =>
        status === 'REMOVED' && removed_at
          ? [{ id, slug, name, removed_at: removed_at.toISOString() }]
          : [],
      ),
    async restore(by: By, id: string): Promise<V1Function> {
      await change(by, 'functions.restore', async (tx) => {
        const all = await store.list(by.ref, tx)
        const row = all.find((each) => each.id === id && each.status === 'REMOVED')
        if (!row) throw new ApiError('function_not_found')
        if (all.some(({ slug, status }) => slug === row.slug && status !== 'REMOVED')) {
          throw new ApiError('function_exists')
        }
        await store.update(tx, id, { status: 'ACTIVE', removed_at: null })
        return { slug: row.slug, id }
      })
      const all = await living(by.ref)
      const row = all.find((each) => each.id === id)
      if (!row) throw new ApiError('function_not_found')
      return shownIn(by.ref)(row)
    },
  }
}
export type Functions = ReturnType<typeof createFunctions>

const settingsOf = ({ name, verify_jwt }: Settings) => ({
  ...(name === undefined ? {} : { name }),
  ...(verify_jwt === undefined ? {} : { verify_jwt }),
})

/** Public programs read where a file lies as a URL, with a folder of its deployment in front that they take off. */
const urlOf = (ref: string, { id, version }: ActiveFunction, path: string) =>
  pathToFileURL(`/tmp/user_fn_${ref}_${id}_${version}/source/${path}`).href

const shownIn =
  (ref: string) =>
  (row: ActiveFunction): V1Function => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    status: row.status,
    version: row.version,
    created_at: row.created_at.getTime(),
    updated_at: row.updated_at.getTime(),
    verify_jwt: row.verify_jwt,
    import_map: row.import_map_path !== null,
    entrypoint_path: row.entrypoint_path === null ? '' : urlOf(ref, row, row.entrypoint_path),
    ...(row.import_map_path !== null && { import_map_path: urlOf(ref, row, row.import_map_path) }),
    ezbr_sha256: row.sha256 ?? '',
  })
