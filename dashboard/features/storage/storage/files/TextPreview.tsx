import { useQuery } from '@tanstack/react-query'
import { bytesText } from '../../../../ui/text/bytes.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'

/** Bytes of a text that are shown. */
const most = 64 * 1024

async function beginningOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, headers: { range: `bytes=0-${most - 1}` } })
  if (!response.ok) throw new Error(`The project answered ${response.status}`)
  return response.text()
}

/** The beginning of a text: as letters, whatever it would be in a browser. */
export function TextPreview({
  url,
  size,
  name,
}: {
  url: string
  size: number | null
  name: string
}) {
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
      {size !== null && size > most && (
        <p className="help">Only the first {bytesText(most)} is shown.</p>
      )}
    </>
  )
}
