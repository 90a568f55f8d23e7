import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { FolderSearch, CornerLeftUp, File, Folder } from 'lucide-react'
import { useState, useDeferredValue } from 'react'
import { storage } from '#contract/storage/storage'
import { q, useCall } from '../../api/client.ts'
import { Dialog } from '../../ui/floats/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { SelectField } from '../../ui/controls/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { bytesText } from '../../ui/text/number.ts'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import './file-choice.css'

type Props = {
  projectRef: string
  onClose: () => void
  /** What is written of the file: its public address, or its path in the bucket, as clients ask for it. */
  onChoose: (reference: string) => void
}
type Requested = 'address' | 'path'

/** Finds a file in the project's storage, to refer to it. */
export function FileChoice({ projectRef: ref, onClose, onChoose }: Props) {
  const { data, error, refetch } = useQuery(q(storage.buckets, { ref }))
  const [chosen, setChosen] = useState<string>()
  const [requested, setRequested] = useState<Requested>('address')
  const address = useCall(storage.publicUrl)
  const bucket = data?.buckets.find(({ id }) => id === chosen) ?? data?.buckets[0]

  function choose(path: string) {
    if (!bucket?.public || requested === 'path') return onChoose(path)
    return address.mutate(
      { ref, id: bucket.id, path },
      {
        onSuccess: ({ url }) => onChoose(url),
      },
    )
  }
  return (
    <Dialog open title="Choose a file" onClose={onClose}>
      {error ? (
        <ErrorNote what="Buckets" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton width={240} />
      ) : !bucket ? (
        <EmptyState icon={FolderSearch} title="There are no buckets">
          You can choose files once the project has some.
        </EmptyState>
      ) : (
        <div className="file-choice">
          <SelectField
            label="Bucket"
            options={data.buckets.map(({ id, public: isPublic }) => ({
              value: id,
              label: id,
              ...(isPublic && { detail: 'public' }),
            }))}
            value={bucket.id}
            onChange={setChosen}
          />
          <FolderChoice key={bucket.id} projectRef={ref} bucket={bucket.id} onFile={choose} />
          {bucket.public ? (
            <div className="row">
              <span className="muted">Write its</span>
              <Segmented
                label="What is written"
                options={[
                  { value: 'address', label: 'Public address' },
                  { value: 'path', label: 'Path in the bucket' },
                ]}
                value={requested}
                onChange={setRequested}
              />
            </div>
          ) : (
            <p className="muted">
              The bucket is private: the file’s path is written, as clients ask for it.
            </p>
          )}
          {address.error && <ErrorNote what="Address" error={address.error} />}
        </div>
      )}
    </Dialog>
  )
}

type FolderChoiceProps = { projectRef: string; bucket: string; onFile: (path: string) => void }

/** What lies in a bucket, folder by folder. A folder that is longer than a page is searched by the server. */
function FolderChoice({ projectRef: ref, bucket: id, onFile }: FolderChoiceProps) {
  const [path, setPath] = useState('')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, error, refetch } = useQuery({
    ...q(storage.list, { ref, id, path, search }),
    placeholderData: keepPreviousData,
  })
  function open(folder: string) {
    setPath(folder)
    setTyped('')
  }
  const below = (name: string) => (path === '' ? name : `${path}/${name}`)
  if (error) return <ErrorNote what="Files" error={error} onRetry={() => void refetch()} />
  const up = {
    value: '../',
    label: path,
    detail: 'up',
    before: <Icon of={CornerLeftUp} size="s" />,
  }
  const entries = (data?.entries ?? []).map(({ id: file, name, size }) => ({
    value: file === null ? `${name}/` : name,
    label: name,
    before: <Icon of={file === null ? Folder : File} size="s" />,
    ...(size !== null && { detail: bytesText(size) }),
  }))
  return (
    <div className="file-choice-list">
      <OptionList
        // The search box of another folder begins empty.
        key={path}
        label={path === '' ? `Files of ${id}` : `Files of ${path}`}
        search="Find by the beginning of a name"
        nothing={data ? 'No file or folder here' : 'Loading'}
        options={path === '' ? entries : [up, ...entries]}
        value={undefined}
        onType={setTyped}
        onSelect={(value) => {
          if (value === up.value) open(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
          else if (value.endsWith('/')) open(below(value.slice(0, -1)))
          else onFile(below(value))
        }}
        footer={
          data?.next && <p className="options-note">There are more. Type the start of a name.</p>
        }
      />
    </div>
  )
}
