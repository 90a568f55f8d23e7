import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { storage, type FileEntry } from '#contract/storage/storage'
import { call } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { bytesText } from '../../../../ui/text/number.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { previewQuery } from '../queries.ts'
import { saveEntry, type Place } from './file-actions.ts'
import { below, previewKind } from './paths.ts'
import { SignDialog } from './SignDialog.tsx'

type Props = { place: Place; entry: FileEntry; isPublic: boolean; onClose: () => void }

/** What is known of a file, and what it looks like. It is shown from the project's address, never from the dashboard's. */
export function PreviewPanel({ place, entry, isPublic, onClose }: Props) {
  const path = below(place.path, entry.name)
  const [signing, setSigning] = useState(false)
  const why = useDenials(useProject(place.projectRef))
  const { copied, copy } = useCopy()
  const publicUrl = useMutation({
    mutationFn: () => call(storage.publicUrl, { ref: place.projectRef, id: place.bucket, path }),
    onSuccess: ({ url }) => copy(url),
    onError: (error) => toast.error(error.message),
  })
  const save = useMutation({
    mutationFn: () => saveEntry(place, entry.name),
    onError: (error) => toast.error(error.message),
  })
  return (
    <aside className="file-preview scroll" aria-label={`About ${entry.name}`}>
      <header>
        <h2 className="ell" title={entry.name}>
          {entry.name}
        </h2>
        <IconButton icon={X} label="Close preview" onClick={onClose} />
      </header>
      <Picture place={place} entry={entry} path={path} />
      <dl className="defs">
        <dt>Type</dt>
        <dd className="mono">{entry.type ?? 'Unknown'}</dd>
        <dt>Size</dt>
        <dd>{entry.size === null ? 'Unknown' : bytesText(entry.size)}</dd>
        <dt>Created</dt>
        <dd>{entry.created_at && <Time at={entry.created_at} />}</dd>
        <dt>Modified</dt>
        <dd>{entry.updated_at && <Time at={entry.updated_at} />}</dd>
      </dl>
      <div className="file-acts">
        <Button busy={save.isPending} onClick={() => save.mutate()}>
          Download
        </Button>
        {isPublic && (
          <Button busy={publicUrl.isPending} onClick={() => publicUrl.mutate()}>
            {copied ? 'Copied' : 'Copy public URL'}
          </Button>
        )}
        <Button disabledReason={why(storage.sign)} onClick={() => setSigning(true)}>
          Create signed URL
        </Button>
      </div>
      {signing && (
        <SignDialog
          projectRef={place.projectRef}
          bucket={place.bucket}
          path={path}
          onClose={() => setSigning(false)}
        />
      )}
    </aside>
  )
}

function Picture({ place, entry, path }: { place: Place; entry: FileEntry; path: string }) {
  const kind = previewKind(entry.type)
  // A frame would save it, unasked.
  const isUnseen = kind === 'pdf' && !navigator.pdfViewerEnabled
  const query = useQuery({
    ...previewQuery(place.projectRef, place.bucket, path),
    enabled: kind !== undefined && !isUnseen && entry.size !== 0,
  })
  if (entry.size === 0) return <p className="file-none muted">The file is empty.</p>
  if (!kind) return <p className="file-none muted">Files of this type have no preview.</p>
  if (isUnseen) return <p className="file-none muted">This browser shows no PDFs in pages.</p>
  if (query.error)
    return <ErrorNote what="Preview" error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton width="100%" />
  const { url } = query.data
  if (kind === 'image') return <img className="file-picture" src={url} alt={entry.name} />
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people have stored has none to give
  if (kind === 'audio') return <audio className="file-picture" controls src={url} />
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people have stored has none to give
  if (kind === 'video') return <video className="file-picture" controls src={url} />
  if (kind === 'pdf') return <iframe className="file-page" src={url} title={entry.name} />
  return <TextPreview url={url} size={entry.size} name={entry.name} />
}

/** Bytes of a text that are shown. */
const max = 64 * 1024

async function beginningOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, headers: { range: `bytes=0-${max - 1}` } })
  if (!response.ok) throw new Error(`The project answered ${response.status}`)
  return response.text()
}

/** The beginning of a text: as letters, whatever it would be in a browser. */
function TextPreview({ url, size, name }: { url: string; size: number | null; name: string }) {
  const query = useQuery({
    queryKey: ['storage.text', url],
    queryFn: ({ signal }) => beginningOf(url, signal),
    staleTime: 60_000,
  })
  if (query.error)
    return <ErrorNote what="Preview" error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton width="100%" />
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <pre className="file-text scroll mono" tabIndex={0} aria-label={`Text of ${name}`}>
        {query.data}
      </pre>
      {size !== null && size > max && (
        <p className="help">Only the first {bytesText(max)} is shown.</p>
      )}
    </>
  )
}
