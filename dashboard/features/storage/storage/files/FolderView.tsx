import {
  FolderOpen,
  SearchX,
  ArrowDown,
  ArrowUp,
  ChevronRight,
  Ellipsis,
  File,
  FileText,
  Film,
  Folder,
  Image,
  Music,
} from 'lucide-react'
import type { FileEntry, FileSort } from '#contract/storage/storage'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import type { FolderOrder } from '../queries.ts'
import { bytesText } from '../../../../ui/text/number.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { useFolder } from './explorer-state.ts'
import { previewKind } from './paths.ts'
import { VirtualRows } from './VirtualRows.tsx'

export type FolderActions = {
  open: (folder: string, entry: FileEntry) => void
  /** One level up. */
  leave: () => void
  /** Undefined where nothing is chosen, as in the columns on the way. */
  choose: ((entry: FileEntry, on: boolean) => void) | undefined
  menu: (entry: FileEntry, place: { x: number; y: number }) => void
  rename: (entry: FileEntry) => void
  remove: (entry: FileEntry) => void
}
type Props = {
  projectRef: string
  bucket: string
  path: string
  order: FolderOrder
  onOrder: (order: Pick<FolderOrder, 'sort' | 'order'>) => void
  /** Name of what is open here: a file that is looked at, or the folder of the next column. */
  openName: string | undefined
  chosen: ReadonlyMap<string, FileEntry>
  narrow: boolean
  actions: FolderActions
}

/** One folder, of any size. */
export function FolderView(props: Props) {
  const { projectRef, bucket, path, order, onOrder, openName, chosen, narrow, actions } = props
  const { entries, error, hasMore, more, retry } = useFolder(projectRef, bucket, path, order)
  const moment = order.sort === 'name' ? 'updated_at' : order.sort
  if (error && !entries) return <ErrorNote what="Files" error={error} onRetry={retry} />
  if (!entries) return <Waiting />
  if (entries.length === 0 && !hasMore)
    return order.search ? (
      <EmptyState icon={SearchX} title="Nothing matches">
        No name here begins with “{order.search}”.
      </EmptyState>
    ) : (
      <EmptyState icon={FolderOpen} title="This folder is empty">
        Drop files or folders here.
      </EmptyState>
    )
  function onKey(event: { key: string; currentTarget: EventTarget }, index: number): boolean {
    const entry = entries?.[index]
    if (!entry) return false
    const keys: Record<string, () => void> = {
      ' ': () => actions.choose?.(entry, !chosen.has(entry.name)),
      ArrowRight: () => entry.id === null && actions.open(path, entry),
      ArrowLeft: actions.leave,
      Backspace: actions.leave,
      F2: () => actions.rename(entry),
      Delete: () => actions.remove(entry),
      ContextMenu: () => {
        const row = document.activeElement?.getBoundingClientRect()
        actions.menu(entry, { x: row?.left ?? 0, y: row?.bottom ?? 0 })
      },
    }
    const act = keys[event.key]
    act?.()
    return act !== undefined
  }
  const rows = (
    <VirtualRows
      // Another folder begins at its top.
      key={`${path} ${JSON.stringify(order)}`}
      label={path === '' ? bucket : path}
      count={entries.length}
      keyOf={(index) => entries[index]?.name ?? String(index)}
      hasMore={hasMore}
      onMore={more}
      onKey={onKey}
      row={(index, isFocused) => {
        const entry = entries[index]
        if (!entry) return null
        return (
          <FileRow
            entry={entry}
            moment={moment}
            narrow={narrow}
            isFocused={isFocused}
            isChosen={chosen.has(entry.name)}
            isOpen={entry.name === openName}
            onOpen={() => actions.open(path, entry)}
            onChosen={actions.choose && ((on) => actions.choose?.(entry, on))}
            onMenu={(place) => actions.menu(entry, place)}
          />
        )
      }}
    />
  )
  // A column is too narrow for more than names.
  if (narrow) return rows
  return (
    <div className="file-table">
      <FileHead order={order} moment={moment} onOrder={onOrder} />
      {rows}
    </div>
  )
}

function Waiting() {
  return (
    <div className="file-waiting" aria-busy>
      {[180, 140, 220, 120].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

type Moment = Exclude<FileSort, 'name'>
type FileHeadProps = {
  order: FolderOrder
  /** Which moment the lines tell. */
  moment: Moment
  onOrder: (order: Pick<FolderOrder, 'sort' | 'order'>) => void
}

const moments: Record<Moment, string> = {
  created_at: 'Created',
  updated_at: 'Last modified',
  last_accessed_at: 'Last accessed',
}

/** What the columns of a list of files are. The service sorts by name and by moments. */
function FileHead({ order, moment, onOrder }: FileHeadProps) {
  const sorter = (sort: FileSort, name: string) => {
    const mine = order.sort === sort ? order.order : undefined
    return (
      <button
        type="button"
        onClick={() => onOrder({ sort, order: mine === 'asc' ? 'desc' : 'asc' })}
      >
        {name}
        {mine && (
          <>
            <Icon of={mine === 'desc' ? ArrowDown : ArrowUp} size="xs" />
            <span className="sr">{mine === 'desc' ? ', descending' : ', ascending'}</span>
          </>
        )}
      </button>
    )
  }
  return (
    <div className="file-head">
      <span className="file-head-choice" />
      {sorter('name', 'Name')}
      <span className="file-type">Type</span>
      <span className="file-size">Size</span>
      <span className="file-time">{sorter(moment, moments[moment])}</span>
      <span className="file-head-more" />
    </div>
  )
}

type FileRowProps = {
  entry: FileEntry
  /** Which moment the line tells, by what it is sorted by. */
  moment: 'created_at' | 'updated_at' | 'last_accessed_at'
  isChosen: boolean
  isOpen: boolean
  isFocused: boolean
  /** In columns a line has the name alone. */
  narrow: boolean
  onOpen: () => void
  onChosen: ((on: boolean) => void) | undefined
  onMenu: (place: { x: number; y: number }) => void
}

/** A file or folder. */
function FileRow(props: FileRowProps) {
  const { entry, moment, isChosen, isOpen, isFocused, narrow, onOpen, onChosen, onMenu } = props
  const isFolder = entry.id === null
  const at = entry[moment]
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the menu opens by a key on the row's button as well
    <div
      className={cx('file-row', isChosen && 'chosen', isOpen && 'open', narrow && 'narrow')}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu({ x: event.clientX, y: event.clientY })
      }}
    >
      {onChosen && (
        <Checkbox
          label={`Select ${entry.name}`}
          hideLabel
          tabIndex={-1}
          checked={isChosen}
          onChange={({ target }) => onChosen(target.checked)}
        />
      )}
      <button
        type="button"
        className="file-name"
        tabIndex={isFocused ? 0 : -1}
        aria-current={isOpen || undefined}
        title={entry.name}
        onClick={onOpen}
      >
        <FileIcon entry={entry} />
        <span className="ell">{entry.name}</span>
        {isFolder && narrow && <Icon of={ChevronRight} size="s" />}
      </button>
      {!narrow && (
        <>
          <span className="file-type ell muted">{isFolder ? 'Folder' : entry.type}</span>
          <span className="file-size muted">
            {entry.size === null ? '' : bytesText(entry.size)}
          </span>
          <span className="file-time muted">{at && <Time at={at} />}</span>
        </>
      )}
      <IconButton
        icon={Ellipsis}
        iconSize="s"
        className="file-more"
        label={`Actions for ${entry.name}`}
        tabIndex={isFocused ? 0 : -1}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          onMenu({ x: left, y: bottom })
        }}
      />
    </div>
  )
}

const icons = { image: Image, audio: Music, video: Film, text: FileText, pdf: FileText }

function FileIcon({ entry }: { entry: FileEntry }) {
  if (entry.id === null) return <Icon of={Folder} size="s" />
  const kind = previewKind(entry.type)
  return <Icon of={kind ? icons[kind] : File} size="s" />
}
