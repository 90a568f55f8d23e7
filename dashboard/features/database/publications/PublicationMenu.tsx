import { Ellipsis, Trash2 } from 'lucide-react'
import type { Publication } from '#contract/database/database-object-shapes'
import { dropPublication } from '#contract/ddl/publications'
import type { Asked } from '../../../modules/objects/use-review.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { publicationThere } from './publication-there.ts'

type Props = { publication: Publication; why: string | undefined; ask: (asked: Asked) => void }

export function PublicationMenu({ publication, why, ask }: Props) {
  const { name } = publication
  return (
    <Menu
      label={`Actions for ${name}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />}
    >
      <MenuItem
        icon={Trash2}
        danger
        disabledReason={why}
        onSelect={() => ask(askToDropPublication(publication))}
      >
        Delete publication
      </MenuItem>
    </Menu>
  )
}

export const askToDropPublication = (publication: Publication): Asked => ({
  change: dropPublication(publicationThere(publication)),
  title: `Delete ${publication.name}`,
  verb: 'Delete publication',
  danger: true,
  done: `${publication.name} is deleted`,
  children: (
    <p>
      No rows are lost. Subscribers get no more changes
      {publication.name === 'supabase_realtime'
        ? ', and the realtime subscriptions of this project receive nothing.'
        : '.'}
    </p>
  ),
})
