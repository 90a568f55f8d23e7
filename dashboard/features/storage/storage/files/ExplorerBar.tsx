import { ArrowDownUp, Columns3, FolderPlus, FolderUp, List, Upload } from 'lucide-react'
import { useRef } from 'react'
import { fileSorts, storage, type FileSort } from '#contract/storage/storage'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { chosenFiles, notifyRenamed } from './dropped-files.ts'
import { sortNames, useView, type ExplorerSearch } from './explorer-state.ts'
import type { Place } from './file-actions.ts'
import type { FolderOrder } from '../queries.ts'
import { addUploads } from './uploads.ts'

type Props = {
  place: Place
  order: FolderOrder
  search: ExplorerSearch
  onSearch: (search: ExplorerSearch) => void
  onNewFolder: () => void
}

/** React's types do not know the attribute. */
const wholeFolders = { webkitdirectory: '' }

/** How the files are shown, and what can be added. */
export function ExplorerBar({ place, order, search, onSearch, onNewFolder }: Props) {
  const { projectRef, bucket, path } = place
  const view = useView((state) => state.view)
  const why = useDenials(useProject(projectRef))
  const [files, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const denied = why(storage.uploads)
  const send = (input: HTMLInputElement) => {
    const chosen = chosenFiles(path, input.files ?? [])
    notifyRenamed(path, chosen)
    void addUploads(projectRef, bucket, chosen)
    // The same files can be chosen again.
    input.value = ''
  }
  return (
    <div className="files-bar">
      <SearchField
        label="Search by name prefix"
        width={240}
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q })}
      />
      <div className="files-sort">
        <Select<FileSort>
          size="tool"
          label="Sort by"
          options={fileSorts.map((value) => ({ value, label: sortNames[value] }))}
          value={order.sort}
          onChange={(sort) => onSearch({ ...search, sort })}
        />
      </div>
      <IconButton
        icon={ArrowDownUp}
        label={order.order === 'asc' ? 'Ascending: turn around' : 'Descending: turn around'}
        onClick={() => onSearch({ ...search, order: order.order === 'asc' ? 'desc' : 'asc' })}
      />
      <Segmented
        label="View"
        options={[
          { value: 'list', label: 'List', icon: List },
          { value: 'columns', label: 'Columns', icon: Columns3 },
        ]}
        value={view}
        onChange={(next) => useView.setState({ view: next })}
      />
      <span className="grow" />
      <Button icon={FolderPlus} disabledReason={why(storage.makeFolder)} onClick={onNewFolder}>
        New folder
      </Button>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => send(target)}
      />
      <input
        ref={folder}
        {...wholeFolders}
        type="file"
        multiple
        hidden
        aria-label="Folder to upload"
        onChange={({ target }) => send(target)}
      />
      <Menu
        label="Upload"
        align="end"
        trigger={
          <Button variant="primary" icon={Upload} disabledReason={denied}>
            Upload
          </Button>
        }
      >
        <MenuItem icon={Upload} disabledReason={denied} onSelect={() => files.current?.click()}>
          Files
        </MenuItem>
        <MenuItem icon={FolderUp} disabledReason={denied} onSelect={() => folder.current?.click()}>
          A folder
        </MenuItem>
      </Menu>
    </div>
  )
}
