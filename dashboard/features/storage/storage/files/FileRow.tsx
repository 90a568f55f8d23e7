import { ChevronRight, Ellipsis, File, FileText, Film, Folder, Image, Music } from 'lucide-react'
import type { FileEntry } from '#contract/storage/storage'
import { bytesText } from '../../../../ui/text/bytes.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { previewKind } from './preview-kind.ts'

type Props = {
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
export function FileRow(props: Props) {
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
