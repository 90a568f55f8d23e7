import { CopyPlus, Download, Ellipsis, RotateCcw } from 'lucide-react'
import type { Backup } from '#contract/projects/backups'
import { bytesText } from '../../../ui/text/number.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import {
  backupView,
  basisText,
  clockText,
  reasonText,
  sinceText,
  takenAt,
  untilText,
} from './words.ts'

export type BackupAct = 'restore' | 'download' | 'clone'
type Props = {
  now: Date
  /** Why an act cannot be done here, with any backup; undefined when it can. `false`: it is not offered. */
  why: Record<BackupAct, string | undefined | false>
  onAct: (act: BackupAct, backup: Backup) => void
}

export const backupColumns = ({ now, why, onAct }: Props): Column<Backup>[] => [
  {
    id: 'taken',
    head: 'Taken',
    width: '180px',
    cell: (backup) => (
      <span className="two-lines">
        <time dateTime={takenAt(backup)} title={exactTime(new Date(takenAt(backup)))}>
          {clockText(takenAt(backup))}
        </time>
        <span className="muted">{sinceText(takenAt(backup), now)}</span>
        <span className="narrow-only muted">{reasonText[backup.reason]}</span>
      </span>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    cell: (backup) => (
      <span className="two-lines">
        <Status tone={backupView[backup.status].tone}>{backupView[backup.status].label}</Status>
        <span className="muted backup-basis">{basisText(backup)}</span>
      </span>
    ),
  },
  {
    id: 'reason',
    head: 'Reason',
    width: '140px',
    wideOnly: true,
    cell: ({ reason }) => reasonText[reason],
  },
  {
    id: 'size',
    head: 'Size',
    width: '90px',
    numeric: true,
    wideOnly: true,
    cell: ({ size_bytes: bytes }) =>
      bytes === null ? <span className="faint">–</span> : bytesText(bytes),
  },
  {
    id: 'expires',
    head: 'Expires',
    width: '110px',
    wideOnly: true,
    cell: ({ expires_at: at }) => (
      <time dateTime={at} title={exactTime(new Date(at))}>
        {untilText(at, now)}
      </time>
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '48px',
    numeric: true,
    cell: (backup) =>
      backup.status === 'COMPLETED' && <Acts backup={backup} why={why} onAct={onAct} />,
  },
]

function Acts({ backup, why, onAct }: Omit<Props, 'now'> & { backup: Backup }) {
  const label = `Actions for the backup of ${clockText(takenAt(backup))}`
  return (
    <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
      <MenuItem
        icon={RotateCcw}
        disabledReason={why.restore}
        onSelect={() => onAct('restore', backup)}
      >
        Restore
      </MenuItem>
      {why.download !== false && (
        <MenuItem
          icon={Download}
          disabledReason={why.download}
          onSelect={() => onAct('download', backup)}
        >
          Download
        </MenuItem>
      )}
      {why.clone !== false && (
        <MenuItem
          icon={CopyPlus}
          disabledReason={why.clone}
          onSelect={() => onAct('clone', backup)}
        >
          Restore to a new project
        </MenuItem>
      )}
    </Menu>
  )
}
