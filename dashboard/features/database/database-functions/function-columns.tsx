import { Link } from '@tanstack/react-router'
import { BookOpen, Code, Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { DatabaseFunction } from '#contract/database/database-functions'
import { aggregatesBySql } from './function-draft.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'

type Actions = {
  projectRef: string
  /** Why it cannot be changed. */
  lock: (found: DatabaseFunction) => string | undefined
  noDuplicate: string | undefined
  onOpen: (found: DatabaseFunction) => void
  onView: (found: DatabaseFunction) => void
  onDuplicate: (found: DatabaseFunction) => void
  onDrop: (found: DatabaseFunction) => void
}

/** Name, arguments, result, language, whose rights it runs with, and what can be done with it. */
export const functionColumns = (does: Actions): Column<DatabaseFunction>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (found) => (
      <span className="object-name">
        <Button variant="ghost" onClick={() => does.onOpen(found)}>
          <span className="mono ell">{found.name}</span>
        </Button>
        {found.kind !== 'function' && <Badge>{found.kind}</Badge>}
        {found.extension && <Badge>{found.extension}</Badge>}
      </span>
    ),
  },
  {
    id: 'args',
    head: 'Arguments',
    wideOnly: true,
    width: '30%',
    sortBy: ({ argument_types }) => argument_types,
    cell: ({ argument_types }) => <Sql of={argument_types} none="None" />,
  },
  {
    id: 'returns',
    head: 'Returns',
    wideOnly: true,
    width: '18%',
    sortBy: ({ return_type }) => return_type,
    cell: ({ return_type }) => <Sql of={return_type} none="Nothing" />,
  },
  {
    id: 'language',
    head: 'Language',
    wideOnly: true,
    width: '96px',
    sortBy: ({ language }) => language,
    cell: ({ language }) => <span className="mono">{language}</span>,
  },
  {
    id: 'security',
    head: 'Security',
    width: '96px',
    sortBy: ({ security_definer }) => security_definer,
    cell: ({ security_definer }) =>
      security_definer ? <Badge tone="warning">Definer</Badge> : 'Invoker',
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (found) => (
      <Menu
        label={`Actions for ${found.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${found.name}`} />}
      >
        <MenuItem icon={Code} onSelect={() => does.onView(found)}>
          View SQL
        </MenuItem>
        {isCalledByPrograms(found) && (
          <MenuItem
            icon={BookOpen}
            as={(look) => (
              <Link
                {...look}
                to="/project/$ref/api"
                params={{ ref: does.projectRef }}
                search={{ resource: `function-${found.id}` }}
              />
            )}
          >
            API docs
          </MenuItem>
        )}
        <MenuItem
          icon={Pencil}
          disabledReason={does.lock(found)}
          onSelect={() => does.onOpen(found)}
        >
          Edit
        </MenuItem>
        <MenuItem
          icon={Copy}
          disabledReason={does.noDuplicate ?? (found.kind === 'aggregate' && aggregatesBySql)}
          onSelect={() => does.onDuplicate(found)}
        >
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={does.lock(found)}
          onSelect={() => does.onDrop(found)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]

/** What the data API offers of a schema that it usually has. */
const isCalledByPrograms = ({ schema, kind, return_type }: DatabaseFunction) =>
  schema === 'public' && kind === 'function' && !/^(event_)?trigger$/.test(return_type)

/** One line; what is longer is read in full as a title. */
const Sql = ({ of, none }: { of: string; none: string }) =>
  of === '' ? (
    <span className="faint">{none}</span>
  ) : (
    <span className="mono object-sql" title={of}>
      {of}
    </span>
  )
