import { Link } from '@tanstack/react-router'
import { Settings, SquareTerminal, Table2 } from 'lucide-react'
import { useHasRoute } from '../../session/has-route.ts'
import { Card } from '../../ui/Card.tsx'
import { Icon } from '../../ui/Icon.tsx'

const starts = [
  {
    route: '/project/$ref/editor',
    below: '/editor',
    icon: Table2,
    name: 'Make a table',
    about: 'Columns, a key, then rows, in the table editor.',
  },
  {
    route: '/project/$ref/sql',
    below: '/sql',
    icon: SquareTerminal,
    name: 'Write SQL',
    about: 'Run statements and keep them as snippets.',
  },
  {
    route: '/project/$ref/settings/general',
    below: '/settings/general',
    icon: Settings,
    name: 'Settings',
    about: 'The name of the project and what it is.',
  },
]

const linkTo = (ref: string, below: string): string => `/project/${ref}${below}`

/** Where to go first, as far as this build has the pages. */
export function StartCard({ projectRef }: { projectRef: string }) {
  const has = useHasRoute()
  return (
    <Card title="Start here" padded={false}>
      <ul className="starts">
        {starts
          .filter(({ route }) => has(route))
          .map(({ below, icon, name, about }) => (
            <li key={below}>
              <Link to={linkTo(projectRef, below)}>
                <Icon of={icon} />
                <span>
                  <span className="med">{name}</span>
                  <span className="choice-help">{about}</span>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </Card>
  )
}
