import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeDiff } from '../../../ui/text/CodeDiff.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { changedFiles, type ChangedFile } from './changed-files.ts'
import { versionQuery } from './queries.ts'

type Props = {
  projectRef: string
  slug: string
  /** Numbers of the versions; the second one is what the first became, or would become. */
  from: number
  to: number
  onClose: () => void
}

/** How the files of two versions differ. */
export function CompareDialog({ projectRef, slug, from, to, onClose }: Props) {
  const before = useQuery(versionQuery(projectRef, slug, from))
  const after = useQuery(versionQuery(projectRef, slug, to))
  const error = before.error ?? after.error
  const retry = () => void Promise.all([before.refetch(), after.refetch()])
  const files =
    before.data && after.data ? changedFiles(before.data.files, after.data.files) : undefined
  return (
    <Dialog open onClose={onClose} size="xxxlarge" title={`Version ${from} and version ${to}`}>
      {error ? (
        <ErrorNote what="the versions" error={error} onRetry={retry} />
      ) : files ? (
        <Differences files={files} />
      ) : (
        <Skeleton width="60%" />
      )}
    </Dialog>
  )
}

function Differences({ files }: { files: readonly ChangedFile[] }) {
  const [chosen, setChosen] = useState(files[0]?.path)
  const file = files.find(({ path }) => path === chosen)
  if (!file) return <p>The files of both versions are the same.</p>
  return (
    <div className="function-compare">
      <SelectField
        label={files.length === 1 ? '1 file differs' : `${files.length} files differ`}
        options={files.map(({ path, change }) => ({ value: path, label: `${path} (${change})` }))}
        value={chosen}
        onChange={setChosen}
      />
      {file.binary ? (
        <p className="muted">{file.path} is no text, so its contents cannot be shown.</p>
      ) : (
        <CodeDiff key={file.path} label={file.path} before={file.before} after={file.after} />
      )}
    </div>
  )
}
