import { useQuery, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type DragEvent, type ReactNode } from 'react'
import { type FileEntry, storage } from '#contract/storage/storage'
import { useWindowName } from '../../../../session/window-name.ts'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { BucketMenu } from '../buckets/BucketMenu.tsx'
import { bucketQuery, bucketsQuery } from '../queries.ts'
import { StorageJobs } from '../StorageJobs.tsx'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { messageOf } from '../../../../api/client.ts'
import { droppedFiles, notifyRenamed } from './dropped-files.ts'
import { type Place, saveEntries, tooMany } from './file-actions.ts'
import { addUploads } from './uploads.ts'
import { EntryMenu, type MenuOf } from './EntryMenu.tsx'
import { ExplorerBar } from './ExplorerBar.tsx'
import {
  explorerParams,
  orderOf,
  useView,
  type ExplorerSearch,
  useFolder,
} from './explorer-state.ts'
import { FileDialog, type FileDialogOf } from './FileDialog.tsx'
import { FolderView, type FolderActions } from './FolderView.tsx'
import { below, folderOf, nameOf, stepsOf, tidy } from './paths.ts'
import { PreviewPanel } from './PreviewPanel.tsx'
import '../storage.css'

type Props = {
  projectRef: string
  bucket: string
  search: ExplorerSearch
  /** Where the list of buckets is: the two interfaces have addresses of their own. */
  home: 'buckets' | 'files'
}

const nobody: ReadonlyMap<string, FileEntry> = new Map()

/** /project/{ref}/storage/{buckets,files}/{bucket}: what lies in a bucket, folder by folder. */
export function ExplorerPage({ projectRef, bucket, search, home }: Props) {
  const navigate = useNavigate()
  useWindowName(bucket)
  // Another folder is a step that Back takes back; what narrows one is not.
  const onSearch = (next: ExplorerSearch) =>
    void navigate({
      to: '.',
      search: explorerParams(next),
      replace: next.path === search.path,
    })
  const onBack = () =>
    navigate({ to: `/project/$ref/storage/${home}`, params: { ref: projectRef } })
  const query = useQuery(bucketQuery(projectRef, bucket))
  const { data: all } = useQuery(bucketsQuery(projectRef))
  const view = useView((state) => state.view)
  const path = tidy(search.path ?? '')
  const order = orderOf(search)
  const place: Place = { projectRef, bucket, path }
  const { entries } = useFolder(projectRef, bucket, path, order)
  const [choice, setChoice] = useState({ path, entries: nobody })
  const [menu, setMenu] = useState<MenuOf>()
  const [dialog, setDialog] = useState<FileDialogOf>()
  // What is chosen belongs to its folder.
  const chosen = choice.path === path ? choice.entries : nobody
  const choose = (next: ReadonlyMap<string, FileEntry>) => setChoice({ path, entries: next })
  const looked = search.file && entries?.find(({ name, id }) => name === search.file && id !== null)

  const go = (to: string) => onSearch({ ...search, path: to, file: undefined, q: undefined })
  const actionsAt = (at: string): FolderActions => ({
    open: (folder, entry) =>
      entry.id === null
        ? go(below(folder, entry.name))
        : onSearch({ ...search, path: folder, file: entry.name }),
    leave: () => path !== '' && go(folderOf(path)),
    choose:
      at === path
        ? (entry, on) => {
            const next = new Map(chosen)
            if (on) next.set(entry.name, entry)
            else next.delete(entry.name)
            choose(next)
          }
        : undefined,
    menu: (entry, where) => setMenu({ entry, where, place: { ...place, path: at } }),
    rename: (entry) => ask('rename', [entry], at),
    remove: (entry) => ask('delete', [entry], at),
  })
  const ask = (kind: FileDialogOf['kind'], of: readonly FileEntry[], at = path) =>
    setDialog({ kind, entries: of, place: { ...place, path: at } })

  if (query.error)
    return (
      <main className="main scroll" id="main">
        <ErrorNote what="Bucket" error={query.error} onRetry={() => void query.refetch()} />
      </main>
    )
  const found = query.data
  const levels = view === 'columns' ? ['', ...stepsOf(path).map((step) => step.path)] : [path]
  return (
    <main className="main files" id="main">
      <header className="files-head">
        <PathBar bucket={bucket} path={path} onPath={go} onBack={onBack} />
        {found?.public && <Badge tone="warning">Public</Badge>}
        {found && (
          <BucketMenu
            projectRef={projectRef}
            bucket={found}
            largest={all?.largest ?? 0}
            onDeleted={onBack}
          />
        )}
      </header>
      <ExplorerBar
        place={place}
        order={order}
        search={search}
        onSearch={onSearch}
        onNewFolder={() => ask('folder', [])}
      />
      <StorageJobs projectRef={projectRef} />
      {chosen.size > 0 && (
        <SelectionBar
          place={place}
          chosen={[...chosen.values()]}
          onClear={() => choose(nobody)}
          onAsk={ask}
        />
      )}
      <div className="files-body">
        <DropZone place={place}>
          <div className={view === 'columns' ? 'files-columns' : 'files-list'}>
            {levels.map((level, at) => (
              <FolderView
                key={level}
                projectRef={projectRef}
                bucket={bucket}
                path={level}
                onOrder={(by) => onSearch({ ...search, ...by })}
                order={level === path ? order : { ...order, search: '' }}
                openName={level === path ? search.file : nameOf(levels[at + 1] ?? '')}
                chosen={level === path ? chosen : nobody}
                narrow={view === 'columns'}
                actions={actionsAt(level)}
              />
            ))}
          </div>
        </DropZone>
        {looked && (
          <PreviewPanel
            key={below(path, looked.name)}
            place={place}
            entry={looked}
            isPublic={found?.public ?? false}
            onClose={() => onSearch({ ...search, file: undefined })}
          />
        )}
      </div>
      <EntryMenu
        menu={menu}
        onClose={() => setMenu(undefined)}
        onAsk={ask}
        onOpen={actionsAt(path).open}
      />
      <FileDialog
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onDone={() => {
          setDialog(undefined)
          choose(nobody)
          if (search.file) onSearch({ ...search, file: undefined })
        }}
      />
    </main>
  )
}

type PathBarProps = {
  bucket: string
  path: string
  onPath: (path: string) => void
  onBack: () => unknown
}

/** Where one is, and the way back. */
function PathBar({ bucket, path, onPath, onBack }: PathBarProps) {
  const steps = [{ name: bucket, path: '' }, ...stepsOf(path)]
  return (
    <nav className="path-bar" aria-label="Path">
      <ol>
        <li>
          <button type="button" onClick={onBack}>
            Buckets
          </button>
        </li>
        {steps.map((step, at) => (
          <li key={step.path}>
            {at === steps.length - 1 ? (
              <h1 className="ell mono">{step.name}</h1>
            ) : (
              <button type="button" className="mono" onClick={() => onPath(step.path)}>
                {step.name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

type SelectionBarProps = {
  place: Place
  chosen: readonly FileEntry[]
  onClear: () => void
  onAsk: (kind: FileDialogOf['kind'], entries: readonly FileEntry[]) => void
}

/** What can be done to all that are chosen. */
function SelectionBar({ place, chosen, onClear, onAsk }: SelectionBarProps) {
  const why = useDenials(useProject(place.projectRef))
  const many = tooMany(chosen.length)
  const save = useMutation({
    mutationFn: () => saveEntries(place, chosen),
    onError: (error) => toast.error(error.message),
  })
  return (
    <div className="files-chosen">
      <output>{numberText(chosen.length)} selected</output>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      <Button busy={save.isPending} disabledReason={many} onClick={() => save.mutate()}>
        Download
      </Button>
      <Button disabledReason={why(storage.move) ?? many} onClick={() => onAsk('move', chosen)}>
        Move
      </Button>
      <Button disabledReason={why(storage.copy) ?? many} onClick={() => onAsk('copy', chosen)}>
        Copy
      </Button>
      <Button
        variant="danger-quiet"
        disabledReason={why(storage.remove) ?? many}
        onClick={() => onAsk('delete', chosen)}
      >
        Delete
      </Button>
    </div>
  )
}

/** Files and folders that are dropped here go into the folder that is open. */
function DropZone({ place, children }: { place: Place; children: ReactNode }) {
  const denied = useDenials(useProject(place.projectRef))(storage.uploads)
  const [over, setOver] = useState(false)
  const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  async function drop(transfer: DataTransfer) {
    try {
      const files = await droppedFiles(place.path, transfer)
      notifyRenamed(place.path, files)
      await addUploads(place.projectRef, place.bucket, files)
    } catch (error) {
      toast.error('These files could not be read', { description: messageOf(error) })
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- who does not drag has the button
    <div
      className="drop-zone"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const inside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!inside) setOver(false)
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        if (denied) toast.error(denied)
        else void drop(event.dataTransfer)
      }}
    >
      {children}
      {over && (
        <p className="drop-here">
          {denied ?? `Drop to upload to ${place.path === '' ? place.bucket : place.path}`}
        </p>
      )}
    </div>
  )
}
