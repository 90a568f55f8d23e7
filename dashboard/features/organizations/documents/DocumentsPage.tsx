import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { documents } from '#contract/organizations/documents'
import type { Output } from '#contract/endpoint'
import type { DocumentId } from '#contract/organizations/documents'
import { q } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'
import './documents.css'

/** Fetches a document with the session's token, which a plain link could not carry, and saves it. */
async function download(slug: string, id: DocumentId): Promise<void> {
  const { path } = addressOf(documents.download, { slug, id })
  const response = await send({ method: 'GET', path })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${id}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}

type Document = Output<typeof documents.list>[number]

/** /org/{slug}/documents */
export function DocumentsPage({ slug }: { slug: string }) {
  const { data, error, refetch } = useQuery(q(documents.list, { slug }))
  return (
    <Page width="form">
      <PageHead
        title="Legal documents"
        help="For security reviews and contracts. The audit log records who downloads one."
      />
      {error && !data ? (
        <ErrorNote what="Documents" error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="card documents" aria-busy={!data || undefined}>
          {data
            ? data.map((document) => <Row key={document.id} slug={slug} document={document} />)
            : [280, 240, 200, 260, 220].map((width) => (
                <li key={width} className="set-row document-loading">
                  <Skeleton width={width} />
                </li>
              ))}
        </ul>
      )}
    </Page>
  )
}

function Row({ slug, document }: { slug: string; document: Document }) {
  const { id, name, about, included, file } = document
  const why = useDenials({ organizationSlug: slug })
  const get = useMutation({
    mutationFn: () => download(slug, id),
    onError: (error) => toast.error(`Could not download it: ${error.message}`),
  })
  return (
    <li className="set-row">
      <div className="grow">
        <span className="med">{name}</span> {!included && <Badge>Team</Badge>}
        <p>{about}</p>
        <p className="t12 faint">{stateOf(document)}</p>
      </div>
      {included ? (
        <Button
          icon={Download}
          busy={get.isPending}
          disabledReason={
            why(documents.download) ??
            (file ? undefined : 'The operator of this platform has not provided this document')
          }
          onClick={() => get.mutate()}
          aria-label={`Download ${name}`}
        >
          Download
        </Button>
      ) : (
        <Link className="btn" to="/org/$slug/billing" params={{ slug }}>
          See plans
        </Link>
      )}
    </li>
  )
}

function stateOf({ included, file }: Document): string {
  if (!included) return 'Part of the Team plan and above.'
  if (!file) return 'Not supplied by the operator of this platform. Ask them for it.'
  const date = new Date(file.updated_at).toLocaleDateString('en', { dateStyle: 'medium' })
  return `PDF, ${sizeText(file.size)}, of ${date}`
}

const sizeText = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
