import { api } from '#contract/api'
import type { DocumentId } from '#contract/organizations/documents'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'

/** Fetches a document with the session's token, which a plain link could not carry, and saves it. */
export async function download(slug: string, id: DocumentId): Promise<void> {
  const { path } = addressOf(api.documents.download, { slug, id })
  const response = await send({ method: 'GET', path })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${id}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}
