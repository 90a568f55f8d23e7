import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CornerLeftUp, File, Folder } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { storage } from '#contract/storage/storage'
import { q } from '../../api/client.ts'
import { bytesText } from '../../ui/text/bytes.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'

type Props = { projectRef: string; bucket: string; onFile: (path: string) => void }

/** What lies in a bucket, folder by folder. A folder that is longer than a page is searched by the server. */
export function FolderChoice({ projectRef: ref, bucket: id, onFile }: Props) {
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
