import { ApiError } from '#kit/errors'
import type { Secrets } from '#kit/secrets'
import { projectIdentity, type ProjectSecrets } from './keys.ts'
import { secretsOf, specOf } from './spec.ts'
import type { ProjectStore } from './store.ts'

type Deps = { projects: ProjectStore; secrets: Secrets; databaseHost: string }

/** The secrets of projects, for features that need one of them. */
export function createOwnSecrets({ projects, secrets, databaseHost }: Deps) {
  /** Also of one that was removed and whose server is still there. */
  async function anyRow(ref: string) {
    const row = await projects.findAny(ref)
    if (!row) throw new Error(`No row for project ${ref}`)
    return row
  }
  const opened = (ref: string, sealed_secrets: string) =>
    secretsOf(secrets, { ref, sealed_secrets })

  return {
    /** @throws ApiError project_not_found */
    async of(ref: string): Promise<ProjectSecrets> {
      const row = await projects.find(ref)
      if (!row) throw new ApiError('project_not_found')
      return secretsOf(secrets, row)
    },
    adminPasswordOf: async (ref: string) => secretsOf(secrets, await anyRow(ref)).adminPassword,
    specOf: async (ref: string) => specOf(secrets, await anyRow(ref)),
    networksOf: async (ref: string) => (await anyRow(ref)).allowed_networks,

    passwordOf: (ref: string, sealed: string) => opened(ref, sealed).dbPassword,
    reseal: (ref: string, sealed: string, dbPassword: string) =>
      secrets.seal(JSON.stringify({ ...opened(ref, sealed), dbPassword }), projectIdentity(ref)),

    /** The address by which people reach a project's database, signed in as its owner. */
    async databaseUrlOf(ref: string): Promise<string | undefined> {
      const row = await projects.find(ref)
      if (!row?.db_address) return undefined
      const password = encodeURIComponent(secretsOf(secrets, row).dbPassword)
      return `postgresql://postgres:${password}@${databaseHost}:${row.db_address.port}/postgres`
    },
  }
}
export type OwnSecrets = ReturnType<typeof createOwnSecrets>
