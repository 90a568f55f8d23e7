import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  documentIds,
  includesDocument,
  legalDocuments,
  type documents as api,
  type DocumentId,
} from '#contract/organizations/documents'
import type { Output } from '#contract/endpoint'
import { planOfTier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../audit/audit.ts'
import type { DocumentStore } from './store.ts'

type Deps = {
  store: DocumentStore
  record: RecordChange
  /** Where whoever runs the platform puts the files; undefined when they supply none. */
  folder: string | undefined
}

/** Legal documents: files of the operator, for organizations whose plan includes them. */
export function createDocuments({ store, record, folder }: Deps) {
  const pathOf = (id: DocumentId) => folder && join(folder, `${id}.pdf`)

  async function fileOf(id: DocumentId) {
    const path = pathOf(id)
    if (!path) return null
    try {
      const found = await stat(path)
      return found.isFile() ? { size: found.size, updated_at: found.mtime.toISOString() } : null
    } catch (error) {
      // Not supplied, or not readable by us: for people it is the same.
      if (error instanceof Error && 'code' in error) return null
      throw error
    }
  }

  async function organizationOf(slug: string) {
    const organization = await store.organization(slug)
    if (!organization) throw new ApiError('organization_not_found')
    return { id: organization.id, plan: planOfTier[organization.tier] }
  }

  return {
    async list(slug: string): Promise<Output<typeof api.list>> {
      const { plan } = await organizationOf(slug)
      return Promise.all(
        documentIds.map(async (id) => {
          const { name, about } = legalDocuments[id]
          return { id, name, about, included: includesDocument(plan, id), file: await fileOf(id) }
        }),
      )
    },

    /** The file, once it is written down who got it. */
    async download(
      caller: Caller,
      slug: string,
      id: DocumentId,
      origin: Origin,
    ): Promise<{ stream: Readable; size: number; filename: string }> {
      const organization = await organizationOf(slug)
      const { name } = legalDocuments[id]
      if (!includesDocument(organization.plan, id)) {
        throw new ApiError('plan_limit', `${name} is available on the Team plan and above`)
      }
      const [path, file] = [pathOf(id), await fileOf(id)]
      if (!path || !file) throw new ApiError('document_not_found')
      await store.transaction((tx) =>
        record(tx, {
          organizationId: organization.id,
          actor: caller,
          action: 'documents.download',
          target: `document:${id}`,
          change: { name },
          origin,
        }),
      )
      return { stream: createReadStream(path), size: file.size, filename: `${id}.pdf` }
    },
  }
}
export type Documents = ReturnType<typeof createDocuments>
